/** A fingerprint as `SHA256:…`, cut into groups of four that an eye can compare. */
export function fingerprintGroups(fingerprint: string): {
  readonly hash: string
  readonly groups: readonly string[]
} {
  const [, hash = '', digest = fingerprint] = /^([A-Za-z0-9-]+:)(.*)$/u.exec(fingerprint) ?? []
  return { hash, groups: digest.match(/.{1,4}/gu) ?? [] }
}
