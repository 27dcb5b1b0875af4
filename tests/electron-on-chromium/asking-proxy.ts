import type { AuthInfo } from 'electron'

/** A proxy that lets sessions through once they have given a name and a password. */
export interface AskingProxy {
  readonly challenge: AuthInfo
  readonly takes: (name: string, password: string) => boolean
}

/** @param setting `name:password` of the proxy that is to be on the way; without it there is none */
export function askingProxy(setting: string | undefined): AskingProxy | null {
  if (setting === undefined || setting === '') return null
  const challenge = { isProxy: true, scheme: 'basic', host: 'proxy.example', port: 8080, realm: 'Staff' }
  return { challenge, takes: (name, password) => `${name}:${password}` === setting }
}
