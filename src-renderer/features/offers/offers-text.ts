/** The sentences of the page of offers; short labels stand in its components. */
export const offersText = {
  fixFilters: 'Fix the marked filters to search.',
  searching: 'Searching for offers…',
  jsonHelp: 'Combined with the filters above. Give each field an operator and a value.',
  otherType: 'The API documents only on-demand pricing. Slipway sends this value unchanged.',
  noneOffered: 'The service returned no offers. Search again in a few minutes.',
  removeOne: 'Remove a filter to search again:',
  noneSaved: 'No saved searches yet. A saved search keeps all its filters under a name.',
  allHidden: 'The search found offers, but the table’s filters hide them all.',
  noFavorites: 'No favorites yet. Select a row’s star to save its machine here, even while it isn’t offered.',
  noneBlocked:
    'Nothing blocked. Select “Block” in a row’s menu to hide a machine or a host from every search.',
  lastSeen: 'Prices and availability may have changed. You can rent when the service responds.',
  plotHelp:
    'Click a point to select it, or Ctrl+click to select more. Draw around points to filter the table. Without drawing, select offers, then “Show selected only”.',
  plotNoValues: 'No offers have both a price and a performance value.',
} as const

/** Why offers are marked as gone. @param limit how many offers the search asked for, when it found as many */
export function goneText(limit: string | null): string {
  const cut = limit === null ? '' : `, or is no longer among the first ${limit}`
  return `A gone offer was rented or withdrawn, or no longer matches your search${cut}.`
}
