/** Lucide's, drawn as they are: a part of Nuxt UI in each row, or a reference to a picture, makes scrolling slower. */
export const iconPaths = {
  terminal: 'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM7 11l2-2l-2-2m4 6h4',
  stop: 'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z',
  destroy:
    'M10 11v6m4-6v6m5-11v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
  waiting: 'M21 12a9 9 0 1 1-6.219-8.56',
  guarded: 'M4 14a8 8 0 1 0 16 0a8 8 0 1 0-16 0M10 2h4m-2 12l3-3',
  forwarded: 'M8 3L4 7l4 4M4 7h16m-4 14l4-4l-4-4m4 4H4',
  download: 'M12 15V3m9 12v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5l5-5',
  good: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M16 9l-5.5 5.5L8 12',
  busy: 'M10.1 2.182a10 10 0 0 1 3.8 0m0 19.636a10 10 0 0 1-3.8 0m7.509-18.097a10 10 0 0 1 2.69 2.7M2.182 13.9a10 10 0 0 1 0-3.8m18.097 7.509a10 10 0 0 1-2.7 2.69M21.818 10.1a10 10 0 0 1 0 3.8M3.721 6.391a10 10 0 0 1 2.7-2.69m-.03 16.578a10 10 0 0 1-2.69-2.7',
  warning: 'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4m0 4h.01',
  bad: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M15 9l-6 6m0-6l6 6',
  neutral: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M8 12h8',
}

/** Of the `svg` around such a path, with the view box `0 0 24 24`. */
export const iconClass =
  'shrink-0 fill-none stroke-current stroke-2 [stroke-linecap:round] [stroke-linejoin:round]'
