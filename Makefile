# make demo   two people meet and chat, on a server started for them
# make test   everything CI runs but the lint
# make help   the other targets

SWIFT ?= swift
PACKAGES := libmicrohttpd-dev libsqlite3-dev libsodium-dev pkg-config
SOURCES := Package.swift Models Workers Scenes Sources Tests
# By the ends of the suites' names: parts together over real sockets, whole processes, long runs.
UNIT_SKIPS := --skip SceneFilesTests --skip IntegrationTests --skip EndToEnd --skip PromisesTests --skip SoakTests \
	--skip SynapseTests

FUZZ_SECONDS ?= 300
FUZZ_TARGETS ?= script sync sanitiser routes
SANITIZER_OPTIONS := TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt" \
	ASAN_OPTIONS="detect_leaks=0"

.PHONY: help demo run serve test test-clients test-synapse test-synapse-if-possible unit integration scenes \
	end-to-end promises soak sanitize fuzz bench build build-tests release lint format packages clean

help:
	@echo "make demo        build, then play a chat between two people on a server of its own"
	@echo "make run         build, then open the app in this terminal"
	@echo "make serve       build, then run the server alone on 127.0.0.1:8000"
	@echo "make test        build, then run all suites: unit, integration, scenes, end-to-end, promises, soak, test-clients"
	@echo "                 and, where PyPI can be reached, test-synapse"
	@echo "make test-clients other people's Matrix clients, from PyPI, and the specification's description, against"
	@echo "                 words serve; what was seen goes into Documentation/Interoperability.md"
	@echo "make unit        only the unit suite (every part alone)"
	@echo "make integration only the tests of parts together, over real sockets and databases"
	@echo "make scenes      only the scene files of Tests/SceneFiles"
	@echo "make end-to-end  only the tests that start processes"
	@echo "make promises    only the tests of what Documentation/Promises.md promises"
	@echo "make test-synapse the same scenes, and more, on Synapse, a Matrix homeserver installed from PyPI for it"
	@echo "make soak        long runs, and the promises at full size"
	@echo "make sanitize    unit, integration, scenes and promises under the thread and the address sanitizer"
	@echo "make fuzz        coverage-guided fuzzing, FUZZ_SECONDS for each of FUZZ_TARGETS"
	@echo "make release     an optimised build in .build/release"
	@echo "make bench       speed and memory, side by side with others, into Documentation/Performance.md"
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
	$(MAKE) test-synapse-if-possible

INTEROPERABILITY := Documentation/Interoperability.md

# Needs PyPI; where that cannot be reached it says so and passes.
test-clients: build
	Tests/Interoperability/with-packages Tests/Interoperability/clients.txt \
	  python -B Tests/Interoperability/run.py .build/debug/words $(INTEROPERABILITY)

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

# Builds of their own, beside the ordinary one. One test after another: a tenth of the speed is enough for that, and the
# tests that measure time have their own run (make unit).
sanitize: packages
	for kind in thread address; do \
	  $(SWIFT) build --build-tests --sanitize=$$kind --build-path .build/$$kind || exit 1; \
	  for filter in IntegrationTests SceneFilesTests PromisesTests; do \
	    $(SANITIZER_OPTIONS) $(SWIFT) test --skip-build --no-parallel --sanitize=$$kind --build-path .build/$$kind \
	      --filter $$filter || exit 1; \
	  done; \
	  $(SANITIZER_OPTIONS) $(SWIFT) test --skip-build --no-parallel --sanitize=$$kind --build-path .build/$$kind \
	    $(UNIT_SKIPS) || exit 1; \
	done

# A program of its own, without a main: libFuzzer brings it; optimised, for ten times as many inputs. What it finds stands in
# .build/fuzz-corpus as crash-*; once mended it belongs into Tests/Fuzzing/Corpus, which `make promises` plays.
fuzz: packages
	WORDS_FUZZ=1 $(SWIFT) build -c release -Xswiftc -enable-testing --product words-fuzz --sanitize=fuzzer --build-path .build/fuzz
	for target in $(FUZZ_TARGETS); do \
	  mkdir -p .build/fuzz-corpus/$$target; \
	  SWIFT_BACKTRACE=enable=no WORDS_FUZZ_TARGET=$$target .build/fuzz/release/words-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 \
	    -max_len=16384 -artifact_prefix=.build/fuzz-corpus/$$target- \
	    .build/fuzz-corpus/$$target Tests/Fuzzing/Corpus/$$target || exit 1; \
	done

# The tests of SynapseTests beside a Synapse from PyPI, which is ended with them. With REPORT=yes the run writes what it
# has seen into Documentation/Interoperability.md.
# Scripts that show the server's whole list of channels get a Synapse each that nobody else has used.
CHANNEL_SCENES := grep -lw "General Channel" Tests/SceneFiles/*.scene Tests/SynapseTests/Scenes/*.scene
# And somebody with Words and somebody with another client chat there.
BESIDE_SYNAPSE := FRESH_SYNAPSES=$$($(CHANNEL_SCENES) | wc -l) Tests/SynapseTests/with-synapse.sh .build/synapse sh -ec \
  '$(SWIFT) test --skip-build --filter SynapseTests; \
  Tests/Interoperability/with-packages Tests/Interoperability/clients.txt \
    python -B Tests/Interoperability/elsewhere.py .build/debug/words "$$WORDS_SYNAPSE_URL" $(and $(REPORT),$(INTEROPERABILITY))'

test-synapse: build-tests
	WORDS_REPORT=$(REPORT) $(BESIDE_SYNAPSE)

# Where Synapse cannot be installed, that is said, and is no failure.
test-synapse-if-possible: build-tests
	@$(BESIDE_SYNAPSE) || [ $$? = 77 ]

# What Words is compared with comes from PyPI; where that cannot be reached the rest is measured, and the document says so.
bench: packages
	for product in words words-bench words-bench-empty; do $(SWIFT) build -c release --product $$product || exit; done
	Tests/Interoperability/with-packages Sources/bench/Peers/peers.txt true
	.build/release/words-bench --report Documentation/Performance.md \
	  $$(cmp -s Sources/bench/Peers/peers.txt .build/python/peers/installed.txt && echo --python .build/python/peers/bin/python)

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
