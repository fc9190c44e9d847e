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
package org.hadoopmpsr.spark

import java.nio.file.{Files, Path}
import java.nio.file.attribute.FileTime
import java.time.{Duration, Instant}

import scala.util.Using

import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/**
 * What Spark's own file stream does with a file that takes the place of others: a stream that has read these does not read the
 * new file, as long as the new file has their time and all are older than `maxFileAge`.
 */
class StreamedMergesTest {
  import SparkFixture._

  private val directory = TestDirectories.create("mpsr-streamed")
  private val source = Files.createDirectories(directory.resolve("source"))
  private val now = Instant.now()
  private val monthAgo = now.minus(Duration.ofDays(30))

  /** A file with ten ids. */
  private def place(name: String, first: Long, time: Instant): Path = {
    val written = directory.resolve(s"written-$name")
    session.range(first, first + 10, 1, 1).write.parquet(written.toUri.toString)
    val file = Using.resource(Files.list(written))(_.filter(_.toString.endsWith(".parquet")).findFirst.get)
    val target = source.resolve(s"$name.parquet")
    Files.setLastModifiedTime(Files.move(file, target), FileTime.from(time))
  }

  /** How often the stream has read each id so far, and which ids. */
  private def read(stream: String): (Long, Long) = {
    val out = directory.resolve(stream).toUri.toString
    session.readStream.schema("id LONG").parquet(source.toUri.toString)
      .writeStream.option("checkpointLocation", s"$out-checkpoint").trigger(Trigger.AvailableNow()).start(out)
      .awaitTermination()
    val all = session.read.parquet(out)
    (all.count(), all.distinct().count())
  }

  @Test
  def aFileWithTheTimeOfThoseThatItReplacesIsReadOnce(): Unit = {
    val old = Seq(place("a", 0, monthAgo), place("b", 10, monthAgo.plusSeconds(60)))
    place("c", 20, now)
    assertThat(read("first")).isEqualTo((30L, 30L))

    old.foreach(Files.delete)
    place("merged", 0, monthAgo.plusSeconds(60))
    assertThat(read("first")).isEqualTo((30L, 30L))
    assertThat(read("later")).as("a stream that begins now").isEqualTo((20L, 20L))

    place("again", 0, now.plusSeconds(1))
    assertThat(read("first")).as("with a new time").isEqualTo((40L, 30L))
  }
}
