# syntax=docker/dockerfile:1
# What is needed to build stays in the first stage; the second holds only what runs, and nothing in it can be written.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
RUN install -d -o node -g node -m 700 /var/lib/lonja
WORKDIR /app
COPY package.json LICENSE ./
COPY bin bin
COPY db db
COPY public public
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# A worker answers at STATUS_PORT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.STATUS_PORT ?? process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/lonja"]
CMD ["serve"]
