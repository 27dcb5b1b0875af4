const nothing = (): void => undefined

/** What a terminal's screen tells of, for a page that needs none of it. */
export const unheard = {
  input: nothing,
  drained: nothing,
  resized: nothing,
  titled: nothing,
  pasteAsked: nothing,
  copyAsked: nothing,
  commanded: nothing,
  folderTold: nothing,
  sessionMissing: nothing,
  commandEnded: nothing,
  sessionMade: nothing,
  rang: nothing,
  wrote: nothing,
  shared: nothing,
  clipboardWritten: nothing,
  linkHovered: nothing,
  linkAsked: nothing,
  localLinkFollowed: nothing,
}
