// Types of release-file.mjs.

export function readReleaseFile(text: string): unknown
export function signReleaseFile(text: string, privateKey: string): string
export function publicKeyOf(privateKey: string): string
