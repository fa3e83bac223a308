# One image for both kinds of process: the API by default, a worker with the command that docker-compose.yml gives it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script: what is compiled is in packages of its own, one for each system.
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json tsoa.json ./
COPY scripts scripts
COPY client client
COPY console console
COPY src src
COPY jobs jobs
COPY workers workers
COPY docs docs
COPY README.md CHANGELOG.md ./
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-save --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/scripts/launch.sh scripts/
COPY --from=build /app/scripts/healthy.mjs /app/scripts/prepare.mjs scripts/
COPY deploy/Caddyfile deploy/
# For backups: mariadb-dump and mariadb, which work with MySQL as well.
RUN apt-get update && apt-get install -y --no-install-recommends mariadb-client && rm -rf /var/lib/apt/lists/*
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
CMD ["sh", "scripts/launch.sh", "api"]
