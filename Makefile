.PHONY: all build test update fuzz bench ci

all: test build

build: ## the binary, which knows its commit
	CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags '-s -w' -o bin/mcp-gates ./cmd/mcp-gates

test:
	go test ./...

update: ## rewrites golden files and the generated parts of docs/
	go test $$(grep -rlE 'flag.Bool\("update"|internal/imports/logtest"' --include='*_test.go' ./internal | xargs -n 1 dirname | sort -u) -update

fuzz:
	.ci/fuzz 30s

bench: build ## figures of docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...
	bench/run

ci:
	.ci/run
