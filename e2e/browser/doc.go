// Package browser tests pages of reports in Chromium, light, dark and on a phone: by keyboard, with many cases, with hostile
// names. ../setup installs the library that steers it, and in CI the browser. Without one of them, and without Node, the
// tests skip. Nothing here reaches the network: a request of a page fails the test.
package browser
