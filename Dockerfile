# The images of mcp-gates. The last stage is the default one, which action.yml builds: a static program and nothing that
# could run another; action.yml gives it the command "action". The stage "full" adds Node.js, npm, and Python with uv, with which MCP servers are started.
#
# Each base image is pinned by the digest of its multi-architecture index, in a line that Dependabot reads, and can be replaced by an
# argument: tests without a registry do.
ARG GO_IMAGE=go
ARG NODE_IMAGE=node
ARG UV_IMAGE=uv
FROM --platform=$BUILDPLATFORM docker.io/library/golang:1.26.8-alpine3.24@sha256:8ac98ca534ac3f51e1f420a1dd2c15e74c75cfa0f23f3ad27eb5d7236c349a0c AS go
FROM docker.io/library/node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS node
FROM ghcr.io/astral-sh/uv:0.11.29@sha256:eb2843a1e56fd9e30c7276ce1a52cba86e64c7b385f5e3279a0e08e02dd058fc AS uv

# Go compiles for other machines by itself, so that this stage is never emulated.
FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS build
ARG TARGETOS=linux
ARG TARGETARCH
# The repository is not here: its commit, and the tag where the image is that of a release, are what "mcp-gates version" shows.
ARG COMMIT
ARG RELEASE
ENV CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOMODCACHE=/cache/mod GOCACHE=/cache/build
WORKDIR /src
COPY go.mod go.sum ./
COPY cmd cmd
COPY internal internal
COPY LICENSE ./
# The same source gives the same bytes: no paths, no version control, no build id.
RUN --mount=type=cache,target=/cache \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= \
      -X github.com/org/mcp-gates/internal/cli.stampedCommit=$COMMIT -X github.com/org/mcp-gates/internal/cli.stampedRelease=$RELEASE" \
      -o /out/usr/local/bin/mcp-gates ./cmd/mcp-gates \
 && cd /out && mkdir -p etc/ssl/certs usr/share/doc/mcp-gates tmp && chmod 1777 tmp \
 && cp /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/ && cp /src/LICENSE usr/share/doc/mcp-gates/ \
 && cd /src && go run ./internal/notices -o /out/usr/share/doc/mcp-gates/NOTICES.txt

FROM ${UV_IMAGE} AS uv-programs

FROM ${NODE_IMAGE} AS full
# Many servers are started as "python". What npm has to say of itself would hide why a server broke: it is set in a file,
# because servers do not get our environment, but for LANG.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 python-is-python3 \
 && rm -rf /var/lib/apt/lists/* \
 && printf '%s=false\n' audit fund update-notifier > /usr/local/etc/npmrc
ENV LANG=C.UTF-8
COPY --from=uv-programs /uv /uvx /usr/local/bin/
COPY --from=build /out/usr /usr
ENTRYPOINT ["/usr/local/bin/mcp-gates"]
CMD []

# GitHub mounts what belongs to root and sets the working directory itself: neither USER nor WORKDIR may stand here.
FROM scratch
COPY --from=build /out /
ENTRYPOINT ["/usr/local/bin/mcp-gates"]
