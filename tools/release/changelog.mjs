/**
 * What CHANGELOG.md says of one version, without its heading.
 *
 * @param {string} changelog in the form of Keep a Changelog
 * @param {string} version such as `1.2.3`
 * @returns {string}
 * @throws Error when it says nothing of it
 */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find((one) => one.startsWith(`[${version}]`))
  const notes = part?.slice(part.indexOf('\n') + 1).trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no part "## [${version}]" with anything in it`)
  return notes
}

/**
 * The released versions that CHANGELOG.md names, pre-releases too, in its order: the newest first.
 *
 * @param {string} changelog as above; a version's heading is `## [1.2.3] - 2026-01-31`, or `[1.3.0-beta.1]`
 * @returns {{ version: string, date: string }[]}
 */
export function releasesOf(changelog) {
  const headings = changelog.matchAll(/^## \[(\d+\.\d+\.\d+(?:-[\w.]+)?)\] - (\d{4}-\d{2}-\d{2})$/gm)
  return [...headings].map(([, version, date]) => ({ version, date }))
}
