/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.spark.reduction

import org.apache.datasketches.kll.KllDoublesSketch
import org.apache.datasketches.memory.Memory

/**
 * Quantiles of many numbers in little space: the KLL sketch of Apache DataSketches (Karnin, Lang, Liberty, "Optimal Quantile
 * Approximation in Streams", FOCS 2016). Of few numbers they are exact. For one thread.
 */
private[reduction] final class Quantiles private (private val sketch: KllDoublesSketch) {

  /** Adds a number; NaN changes nothing. Both zeros are one. */
  def add(value: Double): Unit = sketch.update(value + 0.0)

  def merge(other: Quantiles): Unit = sketch.merge(other.sketch)

  /** The number below or at which a share of the numbers is; not to be asked where there are none. */
  def at(share: Double): Double = sketch.getQuantile(share)

  /** By how much the share of numbers below or at a quantile may differ from the share that was asked for, in 99 of 100 cases. */
  def error: Double = sketch.getNormalizedRankError(false)

  def toBytes: Array[Byte] = sketch.toByteArray
}

private[reduction] object Quantiles {
  /** A sketch takes a few times as many numbers; the error is about a third of a percent. */
  private val Size = 800

  def empty: Quantiles = new Quantiles(KllDoublesSketch.newHeapInstance(Size))

  def read(bytes: Array[Byte]): Quantiles = new Quantiles(KllDoublesSketch.heapify(Memory.wrap(bytes)))
}
