# The image of cms-server: docs/container.md. `npm run rig:image` runs these steps without Docker and tests the result.

FROM node:22-trixie-slim AS build
WORKDIR /cms-server
COPY . .
# The list of packages is complete after devDependencies are gone: npm sbom --omit=dev leaves out packages that both need.
RUN npm ci --workspaces=false && npm prune --omit=dev --workspaces=false \
 && npm pkg delete devDependencies workspaces overrides scripts.prepare \
 && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

# `docker build --target sbom --output . .` writes the list of the packages beside the image.
FROM scratch AS sbom
COPY --from=build /cms-server/sbom.cdx.json /

# Debian’s package of Node.js contains no npm, and corepack could install one.
FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates nodejs \
 && rm -rf /var/lib/apt/lists/* /usr/bin/corepack /usr/share/nodejs/corepack \
 && ln -s /opt/cms-server/bin/cms-server /usr/local/bin/cms-server \
 && install -d -o 10001 -g 0 -m 0770 /var/lib/cms-server /var/backups/cms-server
COPY --from=build /cms-server/package.json /cms-server/LICENSE /cms-server/sbom.cdx.json /opt/cms-server/
COPY --from=build /cms-server/bin /opt/cms-server/bin
COPY --from=build /cms-server/dist/server /opt/cms-server/dist/server
COPY --from=build /cms-server/node_modules /opt/cms-server/node_modules
# The compiled code of the first stage is for its Node, which is another version.
RUN node /opt/cms-server/bin/compile-program.mjs
# HOME is for the S3 client, which reads ~/.aws and fails for a user without a home.
ENV HOME=/var/lib/cms-server NODE_ENV=production CMS_DATA=/var/lib/cms-server CMS_HOST=0.0.0.0 CMS_DOCS=keyed
# Any other user works, if the user may write to the volume. Users without a name have the group 0.
USER 10001:0
WORKDIR /var/lib/cms-server
VOLUME /var/lib/cms-server
EXPOSE 8080
# After a crash, the start first checks all records.
HEALTHCHECK --interval=30s --timeout=10s --start-period=10m CMD ["cms-server", "health"]
ENTRYPOINT ["cms-server"]
CMD ["start"]
