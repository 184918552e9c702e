# The server and the web client it serves. Build it in the project's folder: docker build -t privity .
# The version of Node is the one that package-lock.json pins.
ARG NODE_IMAGE=node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

# What package-lock.json asks for is installed without running any package's script.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/e2ee/package.json packages/e2ee/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/

FROM manifests AS web
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json tsconfig.json ./
COPY docs/threat-model*.md docs/
# Which that of the client refers to.
COPY packages/server/tsconfig.json packages/server/
COPY packages/contract packages/contract
COPY packages/e2ee packages/e2ee
COPY packages/client packages/client
COPY packages/web packages/web
RUN node node_modules/vite/bin/vite.js build packages/web --logLevel warn

FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts --workspace packages/server --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
# Other machines reach it: it starts with an https:// PUBLIC_URL, with TLS_CERT and TLS_KEY, or with ALLOW_HTTP=1.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir -p /data && chown node:node /data
COPY LICENSE package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY packages/contract packages/contract
COPY packages/server packages/server
COPY --from=web /app/packages/web/dist packages/web/dist
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Of the process alone: a database that is away is not mended by a new process.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "packages/server/src/healthcheck.ts"]
CMD ["node", "--no-allocation-site-pretenuring", "packages/server/src/main.ts"]
