import { expect, test } from 'vitest'
import { offerView } from '#domain/offers/offer-view.ts'

test('a view from before there was a plot in it is still read', () => {
  expect(offerView.parse({ columns: ['gpu_name'], widthsPx: {}, refreshSeconds: 15 })).toEqual({
    columns: ['gpu_name'],
    widthsPx: {},
    refreshSeconds: 15,
    plot: { field: null, shownWide: true, shownNarrow: false },
  })
})
