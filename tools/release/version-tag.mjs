import { isNewer } from '../../src-main/services/updates/release.ts'

/**
 * What is wrong with a tag for a release; `null` when nothing is.
 *
 * @param {string} tag such as `v1.2.3` or `v1.2.3-beta.1`
 * @param {string} version of package.json
 * @returns {string | null}
 */
export function checkTag(tag, version) {
  if (tag !== `v${version}`) return `The tag is ${tag}, and package.json has version ${version}`
  // What is newer than nothing is a version that Slipway offers.
  return isNewer(version, '0.0.0-0')
    ? null
    : `${version} is neither a release (1.2.4) nor a pre-release (1.2.4-beta.1)`
}
