// In place of fpm, which electron-builder downloads: takes the options that electron-builder gives it, writes them beside
// the package, and makes a real deb of them with dpkg-deb. Of an rpm there are the options only.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const options = {}
const mappings = []
const given = process.argv.slice(2)
while (given.length > 0) {
  const word = given.shift()
  // As fpm's own parser: what is no option ends them.
  if (!word.startsWith('-') || mappings.length > 0) mappings.push(word.split('='))
  else if (word === '--force') continue
  else {
    const [, name, value] = /^-{1,2}([^=]+)(?:=(.*))?$/s.exec(word)
    ;(options[name] ??= []).push(value ?? given.shift())
  }
}

const [file] = options.package
writeFileSync(`${file}.json`, JSON.stringify({ options, mappings }))
if (options.t[0] === 'deb') makeDeb()
else writeFileSync(file, '')

function makeDeb() {
  const root = mkdtempSync(join(tmpdir(), 'slipway-deb-'))
  for (const [from, to] of mappings) {
    const target = join(root, to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(from, target, { recursive: true })
  }
  for (const pattern of options.exclude ?? [])
    for (const path of globSync(pattern, { cwd: root })) rmSync(join(root, path), { recursive: true })
  const control = [
    ['Package', options.name],
    ['Version', options.version],
    ['Architecture', options.architecture],
    ['Maintainer', options.maintainer],
    ['Depends', options.d],
    ['Recommends', options['deb-recommends']],
    ['Section', options.category],
    ['Priority', options['deb-priority']],
    ['Homepage', options.url],
    ['Description', options.description],
  ].map(([name, values]) => `${name}: ${values.join(', ')}\n`)
  mkdirSync(join(root, 'DEBIAN'))
  writeFileSync(join(root, 'DEBIAN', 'control'), control.join(''))
  for (const [name, [script]] of [
    ['postinst', options['after-install']],
    ['postrm', options['after-remove']],
  ]) {
    cpSync(script, join(root, 'DEBIAN', name))
    chmodSync(join(root, 'DEBIAN', name), 0o755)
  }
  chmodSync(root, 0o755)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, file])
  rmSync(root, { recursive: true })
}
