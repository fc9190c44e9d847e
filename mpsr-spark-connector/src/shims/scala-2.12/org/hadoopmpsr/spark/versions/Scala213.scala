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
package org.hadoopmpsr.spark.versions

import scala.collection.{mutable, GenTraversableOnce, IterableView}
import scala.util.Try

/** What collections of Scala 2.13 have and those of 2.12 lack. */
private[spark] object Scala213 {
  implicit final class OptionObject(private val o: Option.type) extends AnyVal {
    def when[A](condition: Boolean)(value: => A): Option[A] = if (condition) Some(value) else None
    def unless[A](condition: Boolean)(value: => A): Option[A] = if (condition) None else Some(value)
  }
  implicit final class MoreIterator[A](private val it: Iterator[A]) extends AnyVal {
    def nextOption(): Option[A] = if (it.hasNext) Some(it.next()) else None
    def maxOption(implicit o: Ordering[A]): Option[A] = it.reduceOption((a, b) => o.max(a, b))
    def minOption(implicit o: Ordering[A]): Option[A] = it.reduceOption((a, b) => o.min(a, b))
    def maxByOption[B](f: A => B)(implicit o: Ordering[B]): Option[A] = if (it.isEmpty) None else Some(it.maxBy(f))
  }
  implicit final class MoreIterable[A](private val all: Iterable[A]) extends AnyVal {
    def groupMap[K, B](key: A => K)(f: A => B): Map[K, Seq[B]] = all.groupBy(key).map { case (k, vs) => k -> vs.toSeq.map(f) }
    def groupMapReduce[K, B](key: A => K)(f: A => B)(reduce: (B, B) => B): Map[K, B] =
      all.groupBy(key).map { case (k, vs) => k -> vs.toSeq.map(f).reduce(reduce) }
    def maxOption[B >: A](implicit o: Ordering[B]): Option[A] = if (all.isEmpty) None else Some(all.max(o))
    def minOption[B >: A](implicit o: Ordering[B]): Option[A] = if (all.isEmpty) None else Some(all.min(o))
    def maxByOption[B](f: A => B)(implicit o: Ordering[B]): Option[A] = if (all.isEmpty) None else Some(all.maxBy(f))
    def minByOption[B](f: A => B)(implicit o: Ordering[B]): Option[A] = if (all.isEmpty) None else Some(all.minBy(f))
  }
  implicit final class MoreSeq[A](private val all: Seq[A]) extends AnyVal {
    def distinctBy[B](f: A => B): Seq[A] = { val seen = mutable.HashSet.empty[B]; all.filter(a => seen.add(f(a))) }
  }
  implicit final class MoreString(private val s: String) extends AnyVal {
    def toIntOption: Option[Int] = Try(s.toInt).toOption
    def toLongOption: Option[Long] = Try(s.toLong).toOption
  }
  implicit final class MoreMap[K, V](private val m: mutable.Map[K, V]) extends AnyVal {
    def filterInPlace(keep: (K, V) => Boolean): Unit = m.retain(keep)
  }
  implicit final class MoreHashMapObject(private val o: mutable.HashMap.type) extends AnyVal {
    def from[K, V](all: GenTraversableOnce[(K, V)]): mutable.HashMap[K, V] = { val m = mutable.HashMap.empty[K, V]; all.foreach(m += _); m }
  }
  implicit final class MoreLinkedHashMapObject(private val o: mutable.LinkedHashMap.type) extends AnyVal {
    def from[K, V](all: GenTraversableOnce[(K, V)]): mutable.LinkedHashMap[K, V] = { val m = mutable.LinkedHashMap.empty[K, V]; all.foreach(m += _); m }
  }
  implicit final class MoreView[K, V](private val view: IterableView[(K, V), _]) extends AnyVal {
    def mapValues[W](f: V => W): Map[K, W] = view.iterator.map { case (k, v) => k -> f(v) }.toMap
  }
}
