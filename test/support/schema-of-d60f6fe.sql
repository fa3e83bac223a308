CREATE TABLE `api_keys` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL,
  `secret_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `hint` char(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `scopes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sensors` text CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `expires_ms` bigint(20) DEFAULT NULL,
  `used_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `api_keys_secret` (`secret_hash`),
  KEY `api_keys_owner` (`owner_id`),
  CONSTRAINT `api_keys_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `applications` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL,
  `description` mediumtext NOT NULL,
  `type` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `callback_urls` mediumtext NOT NULL,
  `consumer_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `encrypted_secret` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `closed_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `applications_consumer_key` (`consumer_key`),
  KEY `applications_owner` (`owner_id`,`id`),
  KEY `applications_closed` (`closed_ms`),
  CONSTRAINT `applications_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `authorizations` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `user_id` bigint(20) unsigned NOT NULL,
  `application_id` bigint(20) unsigned NOT NULL,
  `scopes` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `expires_ms` bigint(20) DEFAULT NULL,
  `last_used_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authorizations_user` (`user_id`,`application_id`),
  KEY `authorizations_application` (`application_id`),
  KEY `authorizations_expires` (`expires_ms`),
  CONSTRAINT `authorizations_application_fk` FOREIGN KEY (`application_id`) REFERENCES `applications` (`id`) ON DELETE CASCADE,
  CONSTRAINT `authorizations_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `connected_sensors` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `used_sensor_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`sensor_id`,`used_sensor_id`),
  KEY `connected_sensors_used` (`used_sensor_id`),
  CONSTRAINT `connected_sensors_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `connected_sensors_used_fk` FOREIGN KEY (`used_sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `data_points` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `date_ms` bigint(20) NOT NULL,
  `value` text NOT NULL,
  `delay_s` int(11) NOT NULL,
  PRIMARY KEY (`sensor_id`,`date_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci /*M! `PAGE_COMPRESSED`='1' `PAGE_COMPRESSION_LEVEL`='1' */ /*!50708 COMPRESSION='zlib' */;

CREATE TABLE `degraded_receivers` (
  `receiver` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `since_ms` bigint(20) NOT NULL,
  `failures` int(10) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`receiver`),
  KEY `degraded_receivers_since` (`since_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `deliveries` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `webhook_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `owner_id` bigint(20) unsigned NOT NULL,
  `notification_id` bigint(20) unsigned NOT NULL,
  `type` varchar(16) NOT NULL,
  `destination` varchar(2000) NOT NULL,
  `receiver` varchar(255) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `text` mediumtext NOT NULL,
  `mail_subject` varchar(255) DEFAULT NULL,
  `status` varchar(16) NOT NULL DEFAULT 'pending',
  `priority` int(11) NOT NULL DEFAULT 0,
  `firing_id` bigint(20) unsigned DEFAULT NULL,
  `sensor_id` bigint(20) unsigned DEFAULT NULL,
  `trigger_id` bigint(20) unsigned DEFAULT NULL,
  `event_id` bigint(20) unsigned DEFAULT NULL,
  `event_notification_id` bigint(20) unsigned DEFAULT NULL,
  `event` varchar(64) DEFAULT NULL,
  `subject_id` bigint(20) unsigned DEFAULT NULL,
  `source_id` bigint(20) unsigned DEFAULT NULL,
  `attempts` int(10) unsigned NOT NULL DEFAULT 0,
  `next_attempt_ms` bigint(20) DEFAULT NULL,
  `claimed_until_ms` bigint(20) DEFAULT NULL,
  `claim` bigint(20) DEFAULT NULL,
  `slot` smallint(5) unsigned DEFAULT NULL,
  `parked_ms` bigint(20) DEFAULT NULL,
  `received_ms` bigint(20) DEFAULT NULL,
  `stored_ms` bigint(20) DEFAULT NULL,
  `evaluated_ms` bigint(20) DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `sent_ms` bigint(20) DEFAULT NULL,
  `answered_ms` bigint(20) DEFAULT NULL,
  `finished_ms` bigint(20) DEFAULT NULL,
  `resolved` tinyint(1) NOT NULL DEFAULT 0,
  `details` mediumtext DEFAULT NULL,
  `digest_id` bigint(20) unsigned DEFAULT NULL,
  `digest_minute_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `deliveries_webhook` (`webhook_id`),
  UNIQUE KEY `deliveries_event` (`event_id`,`event_notification_id`),
  UNIQUE KEY `deliveries_slot` (`receiver`,`slot`),
  UNIQUE KEY `deliveries_of_firing` (`firing_id`,`notification_id`,`resolved`),
  UNIQUE KEY `deliveries_digest_minute` (`notification_id`,`digest_minute_ms`),
  KEY `deliveries_owner` (`owner_id`,`id`),
  KEY `deliveries_notification` (`notification_id`,`id`),
  KEY `deliveries_notification_status` (`notification_id`,`status`,`id`),
  KEY `deliveries_waiting` (`status`,`next_attempt_ms`,`receiver`),
  KEY `deliveries_digest` (`digest_id`,`id`),
  KEY `deliveries_owner_created` (`owner_id`,`created_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `delivery_attempts` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `delivery_id` bigint(20) unsigned NOT NULL,
  `date_ms` bigint(20) NOT NULL,
  `status_code` int(10) unsigned DEFAULT NULL,
  `duration_ms` int(10) unsigned NOT NULL,
  `error` varchar(500) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `delivery_attempts_delivery` (`delivery_id`,`id`),
  CONSTRAINT `delivery_attempts_delivery_fk` FOREIGN KEY (`delivery_id`) REFERENCES `deliveries` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `device_sensors` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `device_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`sensor_id`),
  KEY `device_sensors_device` (`device_id`,`sensor_id`),
  CONSTRAINT `device_sensors_device_fk` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE CASCADE,
  CONSTRAINT `device_sensors_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `devices` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `type` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `uuid` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `devices_uuid` (`owner_id`,`uuid`,`type`),
  KEY `devices_owner` (`owner_id`,`id`),
  CONSTRAINT `devices_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `environment_sensors` (
  `owner_id` bigint(20) unsigned NOT NULL,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `environment_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`sensor_id`,`owner_id`),
  KEY `environment_sensors_environment` (`environment_id`,`sensor_id`),
  CONSTRAINT `environment_sensors_environment_fk` FOREIGN KEY (`environment_id`) REFERENCES `environments` (`id`) ON DELETE CASCADE,
  CONSTRAINT `environment_sensors_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `environments` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `parent_id` bigint(20) unsigned DEFAULT NULL,
  `name` varchar(255) NOT NULL,
  `floors` int(10) unsigned DEFAULT NULL,
  `gps_outline` text NOT NULL,
  `position` varchar(255) NOT NULL DEFAULT '',
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `environments_owner` (`owner_id`,`id`),
  KEY `environments_parent` (`parent_id`,`id`),
  CONSTRAINT `environments_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE,
  CONSTRAINT `environments_parent_fk` FOREIGN KEY (`parent_id`) REFERENCES `environments` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `event_charges` (
  `actor_id` bigint(20) unsigned NOT NULL,
  `owner_id` bigint(20) unsigned NOT NULL,
  `started_ms` bigint(20) NOT NULL,
  `sent` int(10) unsigned NOT NULL,
  `held` int(10) unsigned NOT NULL,
  `summary_webhook_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`actor_id`,`owner_id`),
  KEY `event_charges_started` (`started_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `event_notifications` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL DEFAULT '',
  `event` varchar(64) NOT NULL,
  `notification_id` bigint(20) unsigned NOT NULL,
  `priority` int(11) NOT NULL DEFAULT 0,
  `enabled` tinyint(1) NOT NULL DEFAULT 1,
  `source_id` bigint(20) unsigned DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `event_notifications_owner` (`owner_id`,`id`),
  KEY `event_notifications_event` (`event`,`enabled`),
  KEY `event_notifications_notification` (`notification_id`),
  KEY `event_notifications_owner_event` (`owner_id`,`event`,`id`),
  CONSTRAINT `event_notifications_notification_fk` FOREIGN KEY (`notification_id`) REFERENCES `notifications` (`id`) ON DELETE CASCADE,
  CONSTRAINT `event_notifications_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `events` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL,
  `subject_id` bigint(20) unsigned DEFAULT NULL,
  `source_id` bigint(20) unsigned DEFAULT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `audience` mediumtext NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `done_user_id` bigint(20) unsigned DEFAULT NULL,
  `retry_at_ms` bigint(20) DEFAULT NULL,
  `failures` int(10) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `events_waiting` (`retry_at_ms`,`user_id`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `firings` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `trigger_id` bigint(20) unsigned NOT NULL,
  `sensor_trigger_id` bigint(20) unsigned NOT NULL,
  `reason` varchar(32) NOT NULL,
  `fired_ms` bigint(20) NOT NULL,
  `variables` mediumtext NOT NULL,
  `muted` tinyint(1) NOT NULL DEFAULT 0,
  `episode_id` bigint(20) unsigned DEFAULT NULL,
  `is_lasting` tinyint(1) NOT NULL DEFAULT 0,
  `ended_ms` bigint(20) DEFAULT NULL,
  `resolved_by` varchar(8) DEFAULT NULL,
  `end_value` text DEFAULT NULL,
  `end_date_ms` bigint(20) DEFAULT NULL,
  `acknowledged_ms` bigint(20) DEFAULT NULL,
  `acknowledged_by` bigint(20) unsigned DEFAULT NULL,
  `note` text DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `firings_once` (`sensor_trigger_id`,`fired_ms`),
  KEY `firings_pair` (`sensor_id`,`trigger_id`,`id`),
  KEY `firings_trigger` (`trigger_id`,`id`),
  KEY `firings_lasting` (`owner_id`,`is_lasting`,`id`),
  KEY `firings_owner` (`owner_id`,`fired_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `former_members` (
  `group_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `list_users` tinyint(1) NOT NULL,
  `add_users` tinyint(1) NOT NULL,
  `remove_users` tinyint(1) NOT NULL,
  `list_sensors` tinyint(1) NOT NULL,
  `add_sensors` tinyint(1) NOT NULL,
  `remove_sensors` tinyint(1) NOT NULL,
  `edit_group` tinyint(1) NOT NULL,
  PRIMARY KEY (`group_id`,`user_id`),
  KEY `former_members_user` (`user_id`,`group_id`),
  CONSTRAINT `former_members_group_fk` FOREIGN KEY (`group_id`) REFERENCES `user_groups` (`id`) ON DELETE CASCADE,
  CONSTRAINT `former_members_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `former_sensor_demands` (
  `group_id` bigint(20) unsigned NOT NULL,
  `version` int(10) unsigned NOT NULL,
  `required_sensors` mediumtext NOT NULL,
  `optional_sensors` mediumtext NOT NULL,
  PRIMARY KEY (`group_id`,`version`),
  CONSTRAINT `former_sensor_demands_group_fk` FOREIGN KEY (`group_id`) REFERENCES `user_groups` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `group_sensors` (
  `group_id` bigint(20) unsigned NOT NULL,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`group_id`,`sensor_id`),
  KEY `group_sensors_sensor` (`sensor_id`,`group_id`),
  KEY `group_sensors_member` (`group_id`,`user_id`),
  CONSTRAINT `group_sensors_member_fk` FOREIGN KEY (`group_id`, `user_id`) REFERENCES `group_users` (`group_id`, `user_id`) ON DELETE CASCADE,
  CONSTRAINT `group_sensors_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `group_users` (
  `group_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `accepted` tinyint(1) NOT NULL,
  `list_users` tinyint(1) NOT NULL,
  `add_users` tinyint(1) NOT NULL,
  `remove_users` tinyint(1) NOT NULL,
  `list_sensors` tinyint(1) NOT NULL,
  `add_sensors` tinyint(1) NOT NULL,
  `remove_sensors` tinyint(1) NOT NULL,
  `edit_group` tinyint(1) NOT NULL,
  `show_first_name` tinyint(1) NOT NULL,
  `show_surname` tinyint(1) NOT NULL,
  `show_email` tinyint(1) NOT NULL,
  `show_phone_number` tinyint(1) NOT NULL,
  `show_username` tinyint(1) NOT NULL,
  `show_id` tinyint(1) NOT NULL,
  `offered_sensors` mediumtext NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `agreed_first_name` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_surname` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_email` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_phone_number` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_username` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_id` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_zipcode` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_address` tinyint(1) NOT NULL DEFAULT 0,
  `agreed_country` tinyint(1) NOT NULL DEFAULT 0,
  `demands_version` int(10) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`group_id`,`user_id`),
  KEY `group_users_user` (`user_id`,`group_id`),
  CONSTRAINT `group_users_group_fk` FOREIGN KEY (`group_id`) REFERENCES `user_groups` (`id`) ON DELETE CASCADE,
  CONSTRAINT `group_users_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `heartbeats` (
  `id` tinyint(3) unsigned NOT NULL,
  `accepting_until_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `inbox_batches` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `partition_no` int(10) unsigned NOT NULL,
  `owner_id` bigint(20) unsigned NOT NULL,
  `stored_ms` bigint(20) NOT NULL,
  `points` int(10) unsigned NOT NULL,
  `bytes` int(10) unsigned NOT NULL,
  `sensor_ids` mediumtext NOT NULL,
  `content` mediumtext NOT NULL,
  `partition_count` smallint(5) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `inbox_batches_partition` (`partition_no`,`stored_ms`),
  KEY `inbox_batches_owner` (`partition_no`,`owner_id`,`stored_ms`),
  KEY `inbox_batches_partition_count` (`partition_count`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `mail_recipients` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `address` varchar(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `secret` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `confirmed_ms` bigint(20) DEFAULT NULL,
  `unsubscribed_ms` bigint(20) DEFAULT NULL,
  `asked` int(10) unsigned NOT NULL DEFAULT 0,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `mail_recipients_owner_address` (`owner_id`,`address`),
  CONSTRAINT `mail_recipients_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `maintenance_cursors` (
  `name` varchar(64) NOT NULL,
  `position` bigint(20) unsigned NOT NULL DEFAULT 0,
  `lease` bigint(20) unsigned DEFAULT NULL,
  `lease_until_ms` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `metatags` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `namespace` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `name` varbinary(32) NOT NULL,
  `position` int(10) unsigned NOT NULL,
  `owner_id` bigint(20) unsigned NOT NULL,
  `value` varbinary(700) NOT NULL,
  `value_key` varbinary(800) NOT NULL,
  PRIMARY KEY (`sensor_id`,`namespace`,`name`,`position`),
  KEY `metatags_value` (`owner_id`,`namespace`,`name`,`value_key`,`sensor_id`),
  KEY `metatags_distinct` (`owner_id`,`namespace`,`name`,`value`),
  CONSTRAINT `metatags_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `migrations` (
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `mutes` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL,
  `start_ms` bigint(20) DEFAULT NULL,
  `end_ms` bigint(20) DEFAULT NULL,
  `sensors` text CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `triggers` text CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `days` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `from_time` char(5) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `to_time` char(5) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `timezone` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `mutes_owner` (`owner_id`,`id`),
  CONSTRAINT `mutes_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `notifications` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `type` varchar(16) NOT NULL,
  `text` text NOT NULL,
  `destination` varchar(2000) NOT NULL,
  `confirmed` tinyint(1) NOT NULL DEFAULT 1,
  `signing_secret` varchar(100) NOT NULL,
  `replaced_secrets` text DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `enabled` tinyint(1) NOT NULL DEFAULT 1,
  `disabled_reason` varchar(16) DEFAULT NULL,
  `failing_since_ms` bigint(20) DEFAULT NULL,
  `format` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'form',
  `digest` tinyint(1) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `notifications_owner` (`owner_id`,`id`),
  CONSTRAINT `notifications_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `oauth1_nonces` (
  `nonce_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `expires_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`nonce_hash`),
  KEY `oauth1_nonces_expires` (`expires_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `oauth1_tokens` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `encrypted_secret` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `application_id` bigint(20) unsigned NOT NULL,
  `authorization_id` bigint(20) unsigned DEFAULT NULL,
  `callback` text DEFAULT NULL,
  `verifier_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `allowed_until_ms` bigint(20) DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `expires_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `oauth1_tokens_token` (`token_hash`),
  KEY `oauth1_tokens_application` (`application_id`,`kind`),
  KEY `oauth1_tokens_authorization` (`authorization_id`),
  KEY `oauth1_tokens_expires` (`expires_ms`),
  CONSTRAINT `oauth1_tokens_application_fk` FOREIGN KEY (`application_id`) REFERENCES `applications` (`id`) ON DELETE CASCADE,
  CONSTRAINT `oauth1_tokens_authorization_fk` FOREIGN KEY (`authorization_id`) REFERENCES `authorizations` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `oauth2_grants` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `application_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `authorization_id` bigint(20) unsigned DEFAULT NULL,
  `scopes` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `code_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `code_expires_ms` bigint(20) DEFAULT NULL,
  `code_used_ms` bigint(20) DEFAULT NULL,
  `code_challenge` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `redirect_uri` text DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `expires_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `oauth2_grants_code` (`code_hash`),
  KEY `oauth2_grants_application` (`application_id`,`authorization_id`),
  KEY `oauth2_grants_user` (`user_id`),
  KEY `oauth2_grants_authorization` (`authorization_id`),
  KEY `oauth2_grants_expires` (`expires_ms`),
  CONSTRAINT `oauth2_grants_application_fk` FOREIGN KEY (`application_id`) REFERENCES `applications` (`id`) ON DELETE CASCADE,
  CONSTRAINT `oauth2_grants_authorization_fk` FOREIGN KEY (`authorization_id`) REFERENCES `authorizations` (`id`) ON DELETE CASCADE,
  CONSTRAINT `oauth2_grants_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `oauth2_tokens` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `grant_id` bigint(20) unsigned NOT NULL,
  `scopes` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `expires_ms` bigint(20) NOT NULL,
  `used_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `oauth2_tokens_token` (`token_hash`),
  KEY `oauth2_tokens_grant` (`grant_id`),
  KEY `oauth2_tokens_expires` (`expires_ms`),
  CONSTRAINT `oauth2_tokens_grant_fk` FOREIGN KEY (`grant_id`) REFERENCES `oauth2_grants` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `outages` (
  `from_ms` bigint(20) NOT NULL,
  `to_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`from_ms`),
  KEY `outages_to` (`to_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `parked_deliveries` (
  `receiver` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `priority_rank` int(10) unsigned NOT NULL,
  `delivery_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`receiver`,`priority_rank`,`delivery_id`),
  UNIQUE KEY `parked_deliveries_delivery` (`delivery_id`),
  CONSTRAINT `parked_deliveries_delivery_fk` FOREIGN KEY (`delivery_id`) REFERENCES `deliveries` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `partitions` (
  `partition_no` int(10) unsigned NOT NULL,
  `version` bigint(20) unsigned NOT NULL DEFAULT 0,
  `partition_count` smallint(5) unsigned NOT NULL DEFAULT 0,
  `changes` bigint(20) unsigned NOT NULL DEFAULT 0,
  `watches` int(10) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`partition_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `password_resets` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `token_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `expires_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `password_resets_token_hash` (`token_hash`),
  KEY `password_resets_user` (`user_id`),
  CONSTRAINT `password_resets_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `paused_receivers` (
  `receiver` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `since_ms` bigint(20) NOT NULL,
  `reason` varchar(255) NOT NULL DEFAULT '',
  PRIMARY KEY (`receiver`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `purge_queue` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `kind` varchar(16) NOT NULL,
  `thing_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `retry_at_ms` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `purge_queue_thing` (`kind`,`thing_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `purges` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`sensor_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `refused_shares` (
  `user_id` bigint(20) unsigned NOT NULL,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `owner_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`user_id`,`sensor_id`),
  KEY `refused_shares_owner` (`user_id`,`owner_id`),
  KEY `refused_shares_sensor` (`sensor_id`),
  CONSTRAINT `refused_shares_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `refused_shares_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sensor_list_versions` (
  `owner_id` bigint(20) unsigned NOT NULL,
  `version` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  PRIMARY KEY (`owner_id`),
  CONSTRAINT `sensor_list_versions_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sensor_trigger_notifications` (
  `sensor_trigger_id` bigint(20) unsigned NOT NULL,
  `notification_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`sensor_trigger_id`,`notification_id`),
  KEY `stn_notification` (`notification_id`),
  CONSTRAINT `stn_notification_fk` FOREIGN KEY (`notification_id`) REFERENCES `notifications` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stn_sensor_trigger_fk` FOREIGN KEY (`sensor_trigger_id`) REFERENCES `sensor_triggers` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sensor_triggers` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `trigger_id` bigint(20) unsigned NOT NULL,
  `active` tinyint(1) NOT NULL DEFAULT 1,
  `last_triggered_ms` bigint(20) NOT NULL DEFAULT 0,
  `times_triggered` int(10) unsigned NOT NULL DEFAULT 0,
  `last_data_value` text DEFAULT NULL,
  `last_date_ms` bigint(20) DEFAULT NULL,
  `last_error` varchar(1000) DEFAULT NULL,
  `inactive_since_ms` bigint(20) DEFAULT NULL,
  `due_at_ms` bigint(20) DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `due_slot` tinyint(3) unsigned NOT NULL DEFAULT (`sensor_id` MOD 64),
  `muted_until_ms` bigint(20) DEFAULT NULL,
  `state_since_ms` bigint(20) DEFAULT NULL,
  `pending_since_ms` bigint(20) DEFAULT NULL,
  `episode_ms` bigint(20) DEFAULT NULL,
  `episode_fired_ms` bigint(20) DEFAULT NULL,
  `episode_acknowledged` tinyint(1) NOT NULL DEFAULT 0,
  `episode_announced` tinyint(1) NOT NULL DEFAULT 0,
  `inactivity_episode_ms` bigint(20) DEFAULT NULL,
  `inactivity_episode_fired_ms` bigint(20) DEFAULT NULL,
  `inactivity_episode_acknowledged` tinyint(1) NOT NULL DEFAULT 0,
  `inactivity_episode_announced` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `sensor_triggers_pair` (`sensor_id`,`trigger_id`),
  KEY `sensor_triggers_trigger` (`trigger_id`),
  KEY `sensor_triggers_due_slot` (`due_slot`,`due_at_ms`),
  CONSTRAINT `sensor_triggers_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `sensor_triggers_trigger_fk` FOREIGN KEY (`trigger_id`) REFERENCES `triggers` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sensor_users` (
  `sensor_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`sensor_id`,`user_id`),
  KEY `sensor_users_user` (`user_id`,`sensor_id`),
  CONSTRAINT `sensor_users_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `sensor_users_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sensors` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL,
  `display_name` varchar(255) NOT NULL DEFAULT '',
  `type` tinyint(3) unsigned NOT NULL DEFAULT 0,
  `device_type` varchar(255) NOT NULL DEFAULT '',
  `data_type_id` varchar(255) NOT NULL DEFAULT '0',
  `pager_type` varchar(255) NOT NULL DEFAULT '',
  `data_type` varchar(255) NOT NULL DEFAULT '',
  `data_structure` text NOT NULL,
  `use_data_storage` tinyint(1) NOT NULL DEFAULT 1,
  `created_ms` bigint(20) NOT NULL,
  `retention_days` smallint(5) unsigned DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `sensors_owner` (`owner_id`,`id`),
  KEY `sensors_name` (`owner_id`,`name`,`id`),
  KEY `sensors_retention` (`retention_days`,`id`),
  CONSTRAINT `sensors_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `service_examples` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `service_id` bigint(20) unsigned NOT NULL,
  `label` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `start_ms` bigint(20) NOT NULL,
  `end_ms` bigint(20) NOT NULL,
  `features` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `service_examples_time` (`service_id`,`start_ms`),
  KEY `service_examples_label` (`service_id`,`label`,`id`),
  CONSTRAINT `service_examples_service_fk` FOREIGN KEY (`service_id`) REFERENCES `services` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `service_inputs` (
  `service_id` bigint(20) unsigned NOT NULL,
  `sensor_id` bigint(20) unsigned NOT NULL,
  `data_fields` text NOT NULL,
  PRIMARY KEY (`service_id`,`sensor_id`),
  KEY `service_inputs_sensor` (`sensor_id`),
  CONSTRAINT `service_inputs_sensor_fk` FOREIGN KEY (`sensor_id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `service_inputs_service_fk` FOREIGN KEY (`service_id`) REFERENCES `services` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `services` (
  `id` bigint(20) unsigned NOT NULL,
  `name` varchar(64) NOT NULL,
  `settings` text NOT NULL,
  `memory` mediumtext NOT NULL,
  `model` longtext DEFAULT NULL,
  `last_error` varchar(1000) DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `version` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  CONSTRAINT `services_sensor_fk` FOREIGN KEY (`id`) REFERENCES `sensors` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `sessions` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `token_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `address` varchar(64) NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `used_ms` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `sessions_token_hash` (`token_hash`),
  KEY `sessions_user` (`user_id`,`address`),
  KEY `sessions_used` (`used_ms`),
  CONSTRAINT `sessions_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `state_journal` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `partition_no` int(10) unsigned NOT NULL,
  `partition_count` int(10) unsigned NOT NULL,
  `content` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `state_journal_partition` (`partition_count`,`partition_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `stream_head` (
  `id` tinyint(3) unsigned NOT NULL,
  `epoch` char(8) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `round_no` bigint(20) unsigned NOT NULL DEFAULT 0,
  `floor_round` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `stream_log` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `kind` varchar(10) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `thing_id` bigint(20) unsigned NOT NULL,
  `items` text CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `item_count` int(10) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `round_no` bigint(20) unsigned DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `stream_log_round` (`round_no`,`id`),
  KEY `stream_log_thing` (`kind`,`thing_id`,`round_no`,`id`,`item_count`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `stream_topics` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `kind` varchar(10) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `thing_id` bigint(20) unsigned NOT NULL,
  `since_round` bigint(20) unsigned DEFAULT NULL,
  `until_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `stream_topics_thing` (`kind`,`thing_id`),
  KEY `stream_topics_until` (`until_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `training_jobs` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `service_id` bigint(20) unsigned NOT NULL,
  `label` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `start_ms` bigint(20) NOT NULL,
  `end_ms` bigint(20) NOT NULL,
  `points` bigint(20) NOT NULL,
  `points_read` bigint(20) NOT NULL DEFAULT 0,
  `state` longtext DEFAULT NULL,
  `status` varchar(16) NOT NULL DEFAULT 'pending',
  `error` text DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `finished_ms` bigint(20) DEFAULT NULL,
  `failures` int(10) unsigned NOT NULL DEFAULT 0,
  `try_again_ms` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `training_jobs_service` (`service_id`,`status`,`id`),
  KEY `training_jobs_status` (`status`,`service_id`),
  CONSTRAINT `training_jobs_service_fk` FOREIGN KEY (`service_id`) REFERENCES `services` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `triggers` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `owner_id` bigint(20) unsigned NOT NULL,
  `name` varchar(255) NOT NULL,
  `expression` text DEFAULT NULL,
  `inactivity` int(10) unsigned DEFAULT NULL,
  `created_ms` bigint(20) NOT NULL,
  `hold` int(10) unsigned NOT NULL DEFAULT 0,
  `repeat_after` int(10) unsigned DEFAULT NULL,
  `notify_resolved` tinyint(1) NOT NULL DEFAULT 0,
  `resolved_text` text DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `triggers_owner` (`owner_id`,`id`),
  CONSTRAINT `triggers_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `usage_counts` (
  `kind` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `subject` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `started_ms` bigint(20) NOT NULL,
  `used` int(10) unsigned NOT NULL,
  PRIMARY KEY (`kind`,`subject`),
  KEY `usage_counts_started` (`started_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `user_blocks` (
  `user_id` bigint(20) unsigned NOT NULL,
  `blocked_id` bigint(20) unsigned NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  PRIMARY KEY (`user_id`,`blocked_id`),
  KEY `user_blocks_blocked` (`blocked_id`),
  CONSTRAINT `user_blocks_blocked_fk` FOREIGN KEY (`blocked_id`) REFERENCES `users` (`id`) ON DELETE CASCADE,
  CONSTRAINT `user_blocks_user_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `user_groups` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL DEFAULT '',
  `username` varchar(255) NOT NULL DEFAULT '',
  `mobile` varchar(255) NOT NULL DEFAULT '',
  `description` text NOT NULL,
  `public` tinyint(1) NOT NULL DEFAULT 0,
  `hidden` tinyint(1) NOT NULL DEFAULT 0,
  `anonymous` tinyint(1) NOT NULL DEFAULT 0,
  `password_hash` varchar(255) DEFAULT NULL,
  `access_password_hash` varchar(255) DEFAULT NULL,
  `required_sensors` mediumtext NOT NULL,
  `optional_sensors` mediumtext NOT NULL,
  `default_list_users` tinyint(1) NOT NULL DEFAULT 1,
  `default_add_users` tinyint(1) NOT NULL DEFAULT 0,
  `default_remove_users` tinyint(1) NOT NULL DEFAULT 0,
  `default_list_sensors` tinyint(1) NOT NULL DEFAULT 1,
  `default_add_sensors` tinyint(1) NOT NULL DEFAULT 1,
  `default_remove_sensors` tinyint(1) NOT NULL DEFAULT 0,
  `required_show_first_name` tinyint(1) NOT NULL DEFAULT 1,
  `required_show_surname` tinyint(1) NOT NULL DEFAULT 1,
  `required_show_email` tinyint(1) NOT NULL DEFAULT 0,
  `required_show_phone_number` tinyint(1) NOT NULL DEFAULT 0,
  `required_show_username` tinyint(1) NOT NULL DEFAULT 0,
  `required_show_id` tinyint(1) NOT NULL DEFAULT 1,
  `required_show_zipcode` tinyint(1) NOT NULL DEFAULT 1,
  `required_show_address` tinyint(1) NOT NULL DEFAULT 1,
  `required_show_country` tinyint(1) NOT NULL DEFAULT 1,
  `created_ms` bigint(20) NOT NULL,
  `demands_version` int(10) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  KEY `user_groups_listed` (`hidden`,`public`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `users` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `uuid` char(36) NOT NULL,
  `username` varchar(255) NOT NULL,
  `username_key` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `email` varchar(255) NOT NULL,
  `name` varchar(255) NOT NULL DEFAULT '',
  `surname` varchar(255) NOT NULL DEFAULT '',
  `mobile` varchar(255) NOT NULL DEFAULT '',
  `address` varchar(255) NOT NULL DEFAULT '',
  `zipcode` varchar(255) NOT NULL DEFAULT '',
  `country` varchar(255) NOT NULL DEFAULT '',
  `password_hash` varchar(255) NOT NULL,
  `created_ms` bigint(20) NOT NULL,
  `closed_ms` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users_username_key` (`username_key`),
  KEY `users_email` (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

INSERT INTO stream_head (id, epoch, round_no, floor_round) VALUES
  (1, '1b201224', 0, 0);
