/** About the scope of a limited key. */
export const scopeTexts = {
  about:
    'You create keys in the service’s web console. The API describes a limited key’s permissions as JSON: select what the key is for, and copy the text.',
  noUserRead:
    'Without user_read, Slipway can’t tell whose account it is and can’t show its credit or templates.',
  limits:
    'The API’s document doesn’t say which other categories exist, which requests each allows, or how to limit a category further. The empty object after each category sets no limits. Slipway can’t create, list, or delete keys: the document doesn’t describe how.',
} as const

/** What checking a key's permissions can find out. */
export const checkLimits =
  'Checking doesn’t rent, change, or cost anything. The API’s document says that templates need user_read. It doesn’t say which requests belong to the other categories, so Slipway goes by their names. A key can have more categories, which Slipway can’t check. Whether a key can add templates or connections shows only when you add one.'
