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

import java.net.URI
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.{BeforeEach, Test}

/** Where else than in EXPLAIN a decision shows. */
class DecisionsShownTest {
  import SparkFixture._

  @BeforeEach
  def reset(): Unit = {
    dataset
    source.failure = None
  }

  private def query = session.read.parquet(dataset.root.toString).where("signal = 'SIG3'")

  private def get(path: String): String =
    Using.resource(URI.create(session.sparkContext.uiWebUrl.get + path).toURL.openStream()) { in =>
      new String(in.readAllBytes(), UTF_8)
    }

  @Test
  def theWebUi(): Unit = {
    query.collect()
    val executions = s"/api/v1/applications/${session.sparkContext.applicationId}/sql?length=1000"
    await().untilAsserted { () =>
      assertThat(get(executions)).contains("parquet[mpsr signal: 2 files")
    }
    val id = """"id" : (\d+)""".r.findAllMatchIn(get(executions)).map(_.group(1).toLong).max
    assertThat(get(s"/SQL/execution/?id=$id")).contains("parquet[mpsr signal: 2 files")
  }

  @Test
  def metricsOfSpark(): Unit = {
    def counter(name: String): Long =
      s""""[^"]*\\.driver\\.mpsr\\.${name.replace(".", "\\.")}" *: *\\{ *"count" *: *(\\d+)""".r
        .findFirstMatchIn(get("/metrics/json/"))
        .map(_.group(1).toLong)
        .getOrElse(0)
    query.collect()
    val before = (counter("plans"), counter("redirected.signal"), counter("stock.option"))
    assertThat(before._2).isPositive
    query.collect()
    withConf("spark.sql.files.ignoreCorruptFiles" -> "true")(query.collect())
    assertThat((counter("plans"), counter("redirected.signal"), counter("stock.option")))
      .isEqualTo((before._1 + 2, before._2 + 1, before._3 + 1))
  }

  @Test
  def theLogWarnsOnceOfFaults(): Unit = {
    val own = new TestDataset(session, TestDirectories.create("mpsr-foreign"), TestShifts)
    own.write(TestShifts.rows(seed, 0, 20))
    source.publish(own)
    def read(): Unit = session.read.parquet(own.root.toString).where("worker = 'Ann'").collect()
    session.range(1).write.parquet(s"${own.root}/d=2024-02-26/hour=2024-02-26-00/x")
    val logged = logging(1.to(3).foreach(_ => read()))
    assertThat(logged.filter(_.startsWith("WARN")).asJava).hasSize(1).first.asString
      .contains(own.root.toString, "is read as without MPSR: the listing of ")
    assertThat(logged.filter(_.startsWith("INFO")).asJava).hasSize(2)
    val ofQuery = logging(withConf("spark.sql.files.ignoreCorruptFiles" -> "true")(query.collect()))
    assertThat(ofQuery.asJava).hasSize(1).first.asString.startsWith("INFO").contains("stock: spark.sql.files")
  }

  /** What the rule logs meanwhile. */
  private def logging(body: => Unit): Seq[String] = {
    val logged = Seq.newBuilder[String]
    val appender = new AbstractAppender("test", null, null, true, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = logged += s"${event.getLevel} ${event.getMessage.getFormattedMessage}"
    }
    appender.start()
    val logger = LogManager.getLogger(classOf[ReadRule]).asInstanceOf[Logger]
    val level = logger.getLevel
    logger.addAppender(appender)
    logger.setLevel(Level.INFO)
    try body
    finally {
      logger.removeAppender(appender)
      logger.setLevel(level)
    }
    logged.result()
  }
}
