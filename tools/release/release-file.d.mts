// Types of release-file.mjs.

export function signReleaseFile(text: string, privateKey: string): string
export function publicKeyOf(privateKey: string): string
