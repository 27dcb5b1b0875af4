import { isLoopback } from '../../domain/accounts/account.ts'

export interface Anonymized {
  /** Paths of the user's home folder: it is written `~`, because it has the user's name in it. */
  readonly homeFolders: readonly string[]
  /** Host names and addresses that are known to be the service's or a machine's; `null`: addresses may stay. */
  readonly hosts: readonly string[] | null
}

/** Text that may be shown to strangers: without the user's name in paths, email addresses, and where machines are. */
export function anonymize(text: string, { homeFolders, hosts }: Anonymized): string {
  const named = homeFolders
    .flatMap(formsOfPath)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, '~'), text)
  // Who logs in where stands before an @, and is nobody's business either.
  const noLogins = named.replace(/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"'<>]*@/gi, '$1')
  // Hundreds may be known, and few of them are in it.
  const folded = noLogins.toLowerCase()
  const known = [...new Set(hosts)]
    .filter((host) => host !== '' && !isLoopback(host) && folded.includes(host.toLowerCase()))
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, host) => rest.replace(asWord(host), address), noLogins)
  // With a port behind it, it is somebody at a machine.
  // It begins where no other does, and the lengths are those that there are: a long line is gone through once.
  const noMail = known.replace(
    /(?<![\w.+-])[\w.+-]+@(?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,63}\b(?![\w.-]{0,253}:\d)/gi,
    '[e-mail]',
  )
  if (hosts === null) return noMail
  return noMail
    .replace(
      /(\b(?:https?|wss?|ssh|sftp):\/\/)(\[[^\]\s]*\]|[^\s/:"'<>]+)/gi,
      (whole, scheme: string, host: string) => (isLoopback(host) ? whole : `${scheme}${address}`),
    )
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, (found) => (isPublicV4(found) ? address : found))
    .replace(/(?<![\w:.])[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi, (found) =>
      isV6(found) ? address : found,
    )
}

const address = '[address]'

/** A name in whatever case, and not within another word: jump hosts may be called as shortly as `gw`. */
function asWord(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '\\$&')}(?![\\w-])`, 'gi')
}

/** A path as it stands, and as JSON and JavaScript write it. */
function formsOfPath(path: string): readonly string[] {
  const bare = path.replace(/(?<![/\\])[/\\]+$/, '')
  if (bare === '') return []
  return [...new Set([bare.replaceAll('\\', '\\\\'), bare, bare.replaceAll('\\', '/')])]
}

/** Not this machine's own, and no version number. */
function isPublicV4(text: string): boolean {
  return !isLoopback(text) && text !== '0.0.0.0' && text.split('.').every((part) => Number(part) <= 255)
}

/** `16:58:58` is a time. */
function isV6(text: string): boolean {
  return text.includes('::') ? text !== '::1' : text.split(':').length === 8
}
