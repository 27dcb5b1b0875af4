/**
 * Puts text on the clipboard during a key press or click. Through the copy event, because the page has no
 * permission for anything more (every permission is denied), and this needs none.
 */
export function copyText(text: string): void {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', put, { capture: true })
  document.execCommand('copy')
  document.removeEventListener('copy', put, { capture: true })
}
