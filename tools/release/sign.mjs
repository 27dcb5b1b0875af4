// Signs what electron-builder left in a folder for the app to find: `npm run release:sign -- dist`. The key is in
// SLIPWAY_UPDATE_PRIVATE_KEY; `npm run release:sign -- --new-key` makes one.
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicKeyOf, signReleaseFile } from './release-file.mjs'

const [given = 'dist'] = process.argv.slice(2)
if (given === '--new-key') {
  const { privateKey } = generateKeyPairSync('ed25519')
  const base64 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  console.log(`SLIPWAY_UPDATE_PRIVATE_KEY=${base64}`)
  console.log(`SLIPWAY_UPDATE_PUBLIC_KEY=${publicKeyOf(base64)}`)
} else signAll(given)

function signAll(folder) {
  const key = process.env['SLIPWAY_UPDATE_PRIVATE_KEY']
  if (!key) throw new Error('SLIPWAY_UPDATE_PRIVATE_KEY is not set')
  const files = readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name))
  if (files.length === 0) throw new Error(`There is no latest*.yml in ${folder}`)
  for (const name of files) {
    const path = join(folder, name)
    writeFileSync(path, signReleaseFile(name, readFileSync(path, 'utf8'), key))
    console.log(`Signed ${name}`)
  }
}
