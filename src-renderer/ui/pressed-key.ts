/** What is looked at of a keyboard event. */
export type PressedKey = Readonly<
  Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>
>
