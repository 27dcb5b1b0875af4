/** Opens the menu of the row in which a button was pressed, under that button. */
export function openRowMenu(event: MouseEvent): void {
  if (!(event.currentTarget instanceof Element)) return
  const { left: clientX, bottom: clientY } = event.currentTarget.getBoundingClientRect()
  event.currentTarget.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }),
  )
}
