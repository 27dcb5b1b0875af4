import type { ScatterSeriesOption } from 'echarts/charts'
import type { GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { axisLabel, logTicks, type AxisRange } from './axis-range.ts'
import type { PlotColors } from './plot-colors.ts'
import type { PlotAxes, PlotPoint } from './plot-points.ts'

export type PlotOption = ComposeOption<ScatterSeriesOption | GridComponentOption>

/** How a point stands out. */
export type PointKind = 'left-out' | 'offer' | 'favorite' | 'selected'

/** From so many points on they are drawn as one shape, and small, so that where they are dense can be seen. */
const manyPoints = 1000

/** What ECharts is to draw. */
export function plotOption(
  points: readonly PlotPoint[],
  {
    axes,
    kindOf,
    colors,
  }: {
    readonly axes: PlotAxes
    readonly kindOf: (point: PlotPoint) => PointKind
    readonly colors: PlotColors
  },
): PlotOption {
  const byKind = Map.groupBy(points, kindOf)
  const usualPx = points.length < manyPoints ? 5 : 3
  const series = (kind: PointKind, color: string, sizePx: number): ScatterSeriesOption => ({
    type: 'scatter',
    id: kind,
    data: (byKind.get(kind) ?? []).map(({ x, y }) => [x, y]),
    symbolSize: sizePx,
    large: true,
    largeThreshold: manyPoints,
    progressive: 0,
    // What is under the pointer is found without ECharts, which would ask every point at every move.
    silent: true,
    itemStyle: { color, opacity: kind === 'selected' ? 1 : 0.75 },
  })
  return {
    animation: false,
    textStyle: { fontFamily: 'Inter Variable, system-ui, sans-serif' },
    grid: {
      left: 10,
      right: 14,
      top: 12,
      bottom: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: axis(axes.x, colors),
    yAxis: axis(axes.y, colors),
    series: [
      series('left-out', colors.leftOut, usualPx),
      series('offer', colors.offer, usualPx),
      series('favorite', colors.favorite, 7),
      series('selected', colors.selected, 9),
    ],
  }
}

function axis({ min, max, isLog }: AxisRange, colors: PlotColors): object {
  const ticks = isLog ? { customValues: logTicks(min, max) } : {}
  return {
    type: isLog ? 'log' : 'value',
    min,
    max,
    axisLine: { show: false },
    axisTick: { show: false, ...ticks },
    axisLabel: {
      ...ticks,
      color: colors.text,
      fontSize: 11,
      hideOverlap: true,
      // The ends of a plain axis are where the data ends, which is no round number.
      showMinLabel: isLog,
      showMaxLabel: isLog,
      formatter: axisLabel,
    },
    splitLine: { lineStyle: { color: colors.line } },
  }
}
