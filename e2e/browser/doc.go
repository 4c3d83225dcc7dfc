// Package browser tests pages of reports in Chromium, light, dark and on a phone: by keyboard, with many cases, with hostile
// names. ../setup installs the library that controls Chromium, and in CI also Chromium. The tests skip if the library, Chromium or
// Node is missing. Nothing here reaches the network: a request of a page fails the test.
package browser
