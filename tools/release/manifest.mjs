// What the templates in build/winget, build/homebrew and build/flathub say of a release.
import { isPrerelease } from '../../src-main/services/updates/release.ts'

/**
 * What `sha256sum` wrote: file names with their checksums, as hex.
 *
 * @param {string} text
 * @returns {ReadonlyMap<string, string>}
 */
export function readChecksums(text) {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum = '', name = '']) => [name, sum]),
  )
}

/**
 * What stands for each word of the templates.
 *
 * @param {{ version: string, repository: string, checksums: ReadonlyMap<string, string> }} release
 *   `repository` as package.json has it
 * @returns {Readonly<Record<string, string>>}
 * @throws Error for a pre-release, which package managers don't get, and when an installer is missing
 */
export function releaseValues({ version, repository, checksums }) {
  if (isPrerelease(version))
    throw new Error(`${version} is a pre-release: package managers get releases only`)
  const address = repository.replace(/^git\+/, '').replace(/\.git$/, '')
  const values = { VERSION: version, REPOSITORY: address }
  for (const [system, ending] of [
    ['WINDOWS', '.exe'],
    ['MAC', '.dmg'],
    ['LINUX', 'amd64.deb'],
  ]) {
    const [name, ...others] = [...checksums.keys()].filter((one) => one.endsWith(ending))
    if (name === undefined || others.length > 0 || !name.includes(version))
      throw new Error(`SHA256SUMS has not one file of ${version} that ends in ${ending}`)
    values[`${system}_URL`] = `${address}/releases/download/v${version}/${name}`
    values[`${system}_SHA256`] = checksums.get(name) ?? ''
  }
  values.MAC_CASK_URL = values.MAC_URL.replaceAll(version, '#{version}')
  // Homebrew leaves the updates of such a program to the program.
  values.AUTO_UPDATES = checksums.has('latest-mac.yml') ? 'auto_updates true' : ''
  return values
}

/**
 * A template with a release's values for its words, such as `@VERSION@`. A line that is only a word goes when it stands
 * for nothing.
 *
 * @param {string} template
 * @param {Readonly<Record<string, string>>} values of `releaseValues`
 * @returns {string}
 * @throws Error for a word that is not among them
 */
export function fillManifest(template, values) {
  return template.replaceAll(/^ *@([A-Z]\w*)@\n|@([A-Z]\w*)@/gm, (match, line, inner) => {
    const value = values[line ?? inner]
    if (value === undefined) throw new Error(`Nothing stands for @${line ?? inner}@`)
    if (line === undefined) return value
    return value === '' ? '' : match.replace(`@${line}@`, value)
  })
}
