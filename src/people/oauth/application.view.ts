import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Application } from '../../storage/models/application.model';

/** An application that you registered. */
export interface ApplicationView {
  /** @example "3" */
  id: string;
  /** @example "Weather station" */
  name: string;
  /** @example "Shows your sensors on a map" */
  description: string;
  /**
   * `web`, `browser`, `native` or `service`.
   * @example "web"
   */
  type: string;
  /** @example ["https://weather.example.org/allowed"] */
  callback_urls: string[];
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Public: the `oauth_consumer_key` of OAuth 1.0a and the `client_id` of OAuth 2.
   * @example "q7Zk3vQ9xWm2Lp7Rt5Yv8Bn4Cd6E0aF1"
   */
  consumer_key: string;
}

/** An application with its secret, which is not shown again. */
export interface ApplicationWithSecretView extends ApplicationView {
  /** @example "8hG2kLp0QwErTy6UiOpAs4DfGhJ1kLzXcVbNm3QwErT" */
  consumer_secret: string;
}

/** The response with one application. */
export interface ApplicationResponse {
  application: ApplicationView;
}

/** The response with an application and its new secret. */
export interface ApplicationWithSecretResponse {
  application: ApplicationWithSecretView;
}

/** The response with a page of applications. */
export interface ApplicationsResponse extends PageTotal {
  applications: ApplicationView[];
}

export function toApplicationView(application: Application): ApplicationView {
  return {
    id: String(application.id),
    name: application.name,
    description: application.description,
    type: application.type,
    callback_urls: JSON.parse(application.callbackUrls),
    created: toUnixSeconds(application.createdMs),
    consumer_key: application.consumerKey,
  };
}

/** With the secret, for the response that shows it. */
export function toApplicationWithSecretView({
  application,
  secret,
}: {
  application: Application;
  secret: string;
}): ApplicationWithSecretView {
  return { ...toApplicationView(application), consumer_secret: secret };
}
