# make demo   two people meet and chat, on a server started for them
# make test   everything CI runs but the lint
# make help   the other targets

SWIFT ?= swift
PACKAGES := libmicrohttpd-dev libsqlite3-dev libsodium-dev pkg-config
SOURCES := Package.swift Models Workers Scenes Sources Tests
# By the ends of the suites' names: parts together over real sockets, whole processes, long runs.
UNIT_SKIPS := --skip SceneFilesTests --skip IntegrationTests --skip EndToEnd --skip PromisesTests --skip SoakTests

.PHONY: help demo run serve test test-clients unit integration scenes end-to-end promises soak build build-tests release \
	lint format packages clean

help:
	@echo "make demo        build, then play a chat between two people on a server of its own"
	@echo "make run         build, then open the app in this terminal"
	@echo "make serve       build, then run the server alone on 127.0.0.1:8000"
	@echo "make test        build, then run all suites: unit, integration, scenes, end-to-end, promises"
	@echo "make test-clients other people's Matrix clients, and the specification's description, against words serve"
	@echo "make unit        only the unit suite (every part alone)"
	@echo "make integration only the tests of parts together, over real sockets and databases"
	@echo "make scenes      only the scene files of Tests/SceneFiles"
	@echo "make end-to-end  only the tests that start processes"
	@echo "make promises    only the tests of what Documentation/Promises.md promises"
	@echo "make soak        long runs, and the promises at full size"
	@echo "make release     an optimised build in .build/release"
	@echo "make lint        check the formatting"
	@echo "make format      format the sources in place"
	@echo "make packages    install what the build needs from Debian"

demo: build
	@.build/debug/words demo

run: build
	@.build/debug/words

serve: build
	@.build/debug/words serve

build: packages
	$(SWIFT) build --product words

release: packages
	$(SWIFT) build -c release --product words

build-tests: packages
	$(SWIFT) build --build-tests

test: build-tests
	$(SWIFT) test --skip-build $(UNIT_SKIPS)
	$(SWIFT) test --skip-build --filter IntegrationTests
	$(SWIFT) test --skip-build --filter SceneFilesTests
	$(SWIFT) test --skip-build --filter EndToEnd
	$(SWIFT) test --skip-build --filter PromisesTests
	$(SWIFT) test --skip-build --no-parallel --filter SoakTests
	$(MAKE) test-clients

# Needs PyPI; where that cannot be reached it says so and passes.
test-clients: build
	Tests/Interoperability/with-packages Tests/Interoperability/clients.txt \
	  python -B Tests/Interoperability/run.py .build/debug/words Documentation/Interoperability.md

unit: build-tests
	$(SWIFT) test --skip-build $(UNIT_SKIPS)

integration: build-tests
	$(SWIFT) test --skip-build --filter IntegrationTests

scenes: build-tests
	$(SWIFT) test --skip-build --filter SceneFilesTests

end-to-end: build-tests
	$(SWIFT) test --skip-build --filter EndToEnd

promises: build-tests
	$(SWIFT) test --skip-build --filter PromisesTests

soak: build-tests
	WORDS_SOAK=full $(SWIFT) test --skip-build --no-parallel --filter "SoakTests|PromisesTests"

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format:
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

clean:
	$(SWIFT) package clean

# Installs what is missing, as root or through sudo; otherwise says the one line to run and stops.
packages:
	@missing=""; \
	for package in $(PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q "ok installed" || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	if ! command -v apt-get >/dev/null; then \
	  echo "Words needs these C libraries with their headers:$$missing (the names are Debian's). Install them, then run make again."; exit 1; \
	elif [ "$$(id -u)" = 0 ]; then run=""; \
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then run="sudo"; \
	else \
	  echo "Words needs:$$missing. Run this line, then make again:"; \
	  echo "  sudo apt-get update && sudo apt-get install -y$$missing"; exit 1; \
	fi; \
	echo "Installing$$missing"; \
	$$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -qq $$missing
