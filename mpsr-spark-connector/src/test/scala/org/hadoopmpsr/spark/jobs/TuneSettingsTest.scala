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
package org.hadoopmpsr.spark.jobs

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.util.Random

import com.fasterxml.jackson.databind.ObjectMapper
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.tune.{MeasuredRuns, TuneOptions}
import org.hadoopmpsr.core.tune.{Feature, Features, Rule, RunTable, Tuning}
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.hadoopmpsr.spark.jobs.tune.TunePage
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.Test

import scala.jdk.CollectionConverters._

/** Trees of MLlib, learnt from runs whose best rule is known. */
class TuneSettingsTest {
  import SparkFixture._

  private val codecs = Seq("none", "zstd:3", "zstd:9")
  private val splits = Seq("1m", "128m")

  /** The rule: slow networks want zstd:9, else many columns want none, else zstd:3; few rows want one split. */
  private def best(bandwidth: Double, columns: Double, rows: Double): (String, String) = {
    val codec = if (bandwidth <= 50) "zstd:9" else if (columns > 8) "none" else "zstd:3"
    (codec, if (rows <= 100000) "128m" else "1m")
  }

  private def run(name: String, features: Map[String, Double], codec: String, split: String, seconds: Double): String = {
    val all = Feature.values.map(_.key).map(key => s""""$key": ${features.getOrElse(key, 1.0)}""").mkString(", ")
    s"""{"workload": "$name", "family": "$name", "features": {$all}, "settings": {"codec": "$codec", "split": "$split"}, "seconds": $seconds}"""
  }

  /** Each setting that is not the best takes half as long again. */
  private def runs(directory: Path, workloads: Int): Unit = {
    val random = new Random(seed)
    val lines = (0 until workloads).flatMap { i =>
      val (bandwidth, columns, rows) = (math.exp(2 + 5 * random.nextDouble()), 1.0 + random.nextInt(16), 10000.0 * (1 + random.nextInt(20)))
      val (codec, split) = best(bandwidth, columns, rows)
      for (c <- codecs; s <- splits) yield run(
        s"w$i",
        Map("bandwidth" -> bandwidth, "columns" -> columns, "rows" -> rows),
        c,
        s,
        (if (c == codec) 1 else 1.5) * (if (s == split) 1 else 1.5) * (0.1 + i))
    }
    Files.write(directory.resolve("made-up.jsonl"), lines.asJava)
  }

  private def options(directory: Path): TuneOptions =
    new TuneOptions(directory.toString, 4, 5, seed, java.util.Map.of(), null)

  private def features(bandwidth: Double, columns: Double, rows: Double): Features =
    Features.of(Feature.values.map(_.key -> Double.box(1.0)).toMap.updated("bandwidth", Double.box(bandwidth))
      .updated("columns", Double.box(columns)).updated("rows", Double.box(rows)).asJava)

  @Test
  def theTreeFindsTheRule(): Unit = {
    val directory = TestDirectories.create("mpsr-tune")
    runs(directory, 160)
    val tuning = TuneSettings.learn(session, RunTable.of(MeasuredRuns.read(directory)), options(directory))
    assertTrue(tuning.tree.depth <= 4, tuning.tree.toString)
    assertThat(tuning.learnt.mean).isEqualTo(1.0)
    assertThat(tuning.validated.mean).as(s"seed $seed").isGreaterThan(0.95)
    assertThat(tuning.validatedStandard.mean).isLessThan(0.9)
    for (bandwidth <- Seq(10.0, 500.0); columns <- Seq(2.0, 15.0); rows <- Seq(20000.0, 190000.0)) {
      val (codec, split) = best(bandwidth, columns, rows)
      assertEquals(java.util.Map.of("codec", codec, "split", split), tuning.prescribed(features(bandwidth, columns, rows)).values)
    }
    reports(tuning)
    // equal seeds, equal trees
    assertEquals(tuning.tree, TuneSettings.learn(session, RunTable.of(MeasuredRuns.read(directory)), options(directory)).tree)
  }

  private def reports(tuning: Tuning): Unit = {
    val asked = Some(features(20, 2, 20000))
    val words = TuneSettings.words(tuning, asked)
    assertThat(words.mkString("\n")).contains("IF ", "bandwidth <= ", "THEN set", "to set for this workload:\n  codec=zstd:9\n  split=128m")
    val json = new ObjectMapper().readTree(TuneSettings.json(tuning, asked))
    assertEquals(Rule.of(tuning).size, json.get("rules").size)
    assertEquals("zstd:9", json.get("for").get("settings").get("codec").asText)
    assertEquals(5, json.get("folds").size)
    assertThat(TunePage.html(tuning, words)).contains("<svg", "all folds, best single one", "bandwidth &lt;= ").doesNotContain("NaN")
  }

  @Test
  def oneQuestionIsAsMuchAsADepthOfOneAllows(): Unit = {
    val directory = TestDirectories.create("mpsr-tune")
    runs(directory, 60)
    val shallow = new TuneOptions(directory.toString, 1, 2, seed, java.util.Map.of(), null)
    assertThat(TuneSettings.learn(session, RunTable.of(MeasuredRuns.read(directory)), shallow).tree.depth).isLessThanOrEqualTo(1)
  }

  @Test
  def directoriesThatTrainNothingAreTold(): Unit = {
    val empty = TestDirectories.create("mpsr-tune")
    assertThatThrownBy(() => MeasuredRuns.read(empty.resolve("missing"))).hasMessageContaining("there is no local directory")
    assertThatThrownBy(() => MeasuredRuns.read(empty)).hasMessageContaining("it has 0 files named *.jsonl; 'bin/mpsr bench settings --json=DIR'")
    Files.write(empty.resolve("a.jsonl"), (run("w", Map(), "none", "1m", 1) + "\n\n{\"workload\": 7}\n").getBytes(UTF_8))
    assertThatThrownBy(() => MeasuredRuns.read(empty)).hasMessage(s"line 3 of '${empty.resolve("a.jsonl")}' is no measured run: 'workload' is no text: 7")
    Files.write(empty.resolve("a.jsonl"), "{\"workload\"".getBytes(UTF_8))
    assertThatThrownBy(() => MeasuredRuns.read(empty)).hasMessageContaining("is no measured run: it is no JSON")
    Files.write(empty.resolve("a.jsonl"), Seq(run("v", Map(), "none", "1m", 1), run("w", Map(), "none", "1m", 1)).asJava)
    assertThatThrownBy(() => RunTable.of(MeasuredRuns.read(empty))).hasMessageStartingWith("all runs have one configuration, codec=none split=1m;")
  }
}
