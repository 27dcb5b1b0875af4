#!/bin/sh
# Fits a line to points.csv by gradient descent. Prints the loss of each epoch, and writes the model and the losses to out/.
set -eu
epochs=${1:-60}
mkdir -p out
awk -F, -v epochs="$epochs" '
  NR > 1 { x[++n] = $1; y[n] = $2 }
  END {
    rate = 0.02
    print "epoch,loss" > "out/loss.csv"
    for (epoch = 1; epoch <= epochs; epoch++) {
      loss = slopes = offsets = 0
      for (i = 1; i <= n; i++) {
        error = slope * x[i] + offset - y[i]
        loss += error * error / n
        slopes += 2 * error * x[i] / n
        offsets += 2 * error / n
      }
      slope -= rate * slopes
      offset -= rate * offsets
      printf "%d,%.6f\n", epoch, loss > "out/loss.csv"
      printf "epoch %d of %d: loss %.4f\n", epoch, epochs, loss
      fflush()
      # So that somebody can watch.
      system("sleep 0.1")
    }
    printf "{ \"slope\": %.4f, \"offset\": %.4f, \"loss\": %.4f }\n", slope, offset, loss > "out/model.json"
  }
' points.csv
