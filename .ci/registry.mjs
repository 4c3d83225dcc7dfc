// A stand-in for npm's registry on loopback, with the packages (.tgz) of a folder: what "npx mcp-gates" asks for.
//   node .ci/registry.mjs FOLDER   prints its address
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const folder = process.argv[2]
const packages = new Map()
for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
  const path = join(folder, file)
  const about = JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json']))
  const integrity = 'sha512-' + createHash('sha512').update(readFileSync(path)).digest('base64')
  packages.set(about.name, { about, file, integrity })
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://registry').pathname).slice(1)
  const base = `http://${request.headers.host}/`
  const found = packages.get(path)
  if (found) {
    const { about, file, integrity } = found
    const version = { ...about, dist: { tarball: `${base}-/${file}`, integrity } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: about.name, 'dist-tags': { latest: about.version }, versions: { [about.version]: version } }))
    return
  }
  const file = [...packages.values()].find((one) => `-/${one.file}` === path)
  if (file) {
    response.end(readFileSync(join(folder, file.file)))
    return
  }
  response.statusCode = 404
  response.end('{"error": "not found"}')
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
