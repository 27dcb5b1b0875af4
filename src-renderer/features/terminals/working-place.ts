import { shellFolder } from '#domain/terminals/shell-wish.ts'

/**
 * The folder that OSC 7 tells, `file://host/path` with the path percent-encoded; `null` when it tells none that
 * can be used. Only a hint: whatever writes on the screen can send it.
 */
export function folderOfReport(data: string): string | null {
  const [, encoded] = /^file:\/\/[^/]*(\/.*)$/su.exec(data.slice(0, 4096)) ?? []
  if (encoded === undefined) return null
  const parsed = shellFolder.safeParse(decoded(encoded))
  return parsed.success ? parsed.data : null
}

/** Not every shell encodes: a percent sign that begins no character stands for itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/** The end of a path, for where there is little room; `null` without one. */
export function shortFolder(folder: string | null): string | null {
  if (folder === null) return null
  const names = folder.split('/').filter((name) => name !== '')
  return names.length <= 2 ? folder : `…/${names.slice(-2).join('/')}`
}

/** Where the page of a machine's files begins there. */
export function filesPage(instanceId: number, folder: string | null): string {
  const place = folder === null ? '' : `?folder=${encodeURIComponent(folder)}`
  return `/instances/${instanceId}/files${place}`
}
