import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { releasesOf } from '../tools/release/changelog.mjs'

const templates = join(import.meta.dirname, 'linux')

/**
 * What packages for Linux bring for the system: AppStream's description, for software centers, and the manual page.
 * The same facts give the same bytes.
 *
 * @param {object} facts
 * @param {object} facts.manifest package.json, as it is packed
 * @param {string} facts.summary one line, without a period
 * @param {string} facts.executable name of the command
 * @param {string} facts.changelog CHANGELOG.md, which says when versions were released
 * @returns {{ metainfo: string, manual: string, compressedManual: Buffer }}
 * @throws Error that names what the manifest lacks
 */
export function linuxFiles({ manifest, summary, executable, changelog }) {
  const releases = releasesOf(changelog)
  const { name: authorName, email: authorEmail } = manifest.author
  const facts = {
    id: manifest.desktopName.replace(/\.desktop$/, ''),
    name: manifest.productName,
    version: manifest.version,
    date: releases.find(({ version }) => version === manifest.version)?.date ?? 'unreleased',
    summary,
    executable,
    license: manifest.license,
    homepage: manifest.homepage,
    bugs: addressOf(manifest.bugs),
    repository: addressOf(manifest.repository)
      .replace(/^git\+/, '')
      .replace(/\.git$/, ''),
    authorName,
    authorEmail,
  }
  const metainfo = fill('metainfo.xml', facts, escapeXml).replace(
    '@releases@\n',
    releaseList(releases, facts.repository),
  )
  const manual = fill('slipway.1', facts, escapeRoff)
  // Without a time in it: Node writes none.
  return { metainfo, manual, compressedManual: gzipSync(manual, { level: 9 }) }
}

/** package.json has an address as text or in an object. */
function addressOf(field) {
  return typeof field === 'string' ? field : field.url
}

function fill(template, facts, escape) {
  const text = readFileSync(join(templates, template), 'utf8')
  return text.replace(/@(?!releases@)(\w+)@/g, (_, name) => {
    const fact = facts[name]
    if (typeof fact !== 'string') throw new Error(`package.json does not say ${name}, for ${template}`)
    return escape(fact)
  })
}

function releaseList(releases, repository) {
  if (releases.length === 0) return ''
  const lines = releases.map(
    ({ version, date }) =>
      `    <release version="${version}" date="${date}"${version.includes('-') ? ' type="development"' : ''}>\n` +
      `      <url type="details">${escapeXml(repository)}/releases/tag/v${version}</url>\n    </release>\n`,
  )
  return `  <releases>\n${lines.join('')}  </releases>\n`
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function escapeRoff(text) {
  return text.replaceAll('\\', '\\e').replaceAll('"', '\\(dq')
}
