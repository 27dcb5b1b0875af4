/** What is read of package.json for them. */
export interface Manifest {
  readonly productName: string
  readonly desktopName: string
  readonly version: string
  readonly license: string
  readonly homepage: string
  readonly bugs: string | { readonly url: string }
  readonly repository: string | { readonly url: string }
  readonly author: { readonly name: string; readonly email: string }
}

/** What packages for Linux bring for the system. */
export function linuxFiles(facts: {
  readonly manifest: Manifest
  readonly summary: string
  readonly executable: string
  readonly changelog: string
}): { readonly metainfo: string; readonly manual: string; readonly compressedManual: Buffer }
