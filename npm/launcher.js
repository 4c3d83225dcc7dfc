#!/usr/bin/env node
// Runs the program for this machine, which one of the optional dependencies brings. Nothing is downloaded here.
'use strict'
const { spawn } = require('node:child_process')

const brokeStatus = 3 // as the program's own: something that was needed broke

function fail(message) {
  console.error(`mcp-gates: ${message}`)
  process.exit(brokeStatus)
}

function find() {
  const name = `@mcp-gates/${process.platform}-${process.arch}`
  try {
    return require.resolve(`${name}/mcp-gates${process.platform === 'win32' ? '.exe' : ''}`)
  } catch {
    return fail(`the package ${name} is not installed; install without --omit=optional, or take a binary of the release`)
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: 'inherit' })
// A terminal interrupts the program itself, to which a second interrupt means haste.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => fail(`the program cannot be started: ${error.message}`))
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
