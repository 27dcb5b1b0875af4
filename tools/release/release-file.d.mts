// Types of release-file.mjs.

export function signReleaseFile(name: string, text: string, privateKey: string): string
export function publicKeyOf(privateKey: string): string
export function signedReleaseFiles(
  name: string,
  text: string,
  privateKey: string,
): { name: string; text: string }[]
