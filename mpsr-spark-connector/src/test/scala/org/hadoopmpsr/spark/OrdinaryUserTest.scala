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

import org.apache.hadoop.fs.Path
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.security.{AccessControlException, UserGroupInformation}
import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Queries of a user without privileges: each gives what it gives without MPSR, or fails as it does without MPSR. */
@TestInstance(Lifecycle.PER_CLASS)
class OrdinaryUserTest {
  import SparkFixture._

  private var cluster: TestCluster = _
  private val root = new Path("/cals/meas")
  private val day = new Path(root, "day=2014-05-01")
  private lazy val file = cluster.dfs.getFileSystem.listStatus(day).head.getPath

  @BeforeAll
  def publish(): Unit = {
    cluster = TestCluster.withDataset()
    rights(root, "755")
    session.sql(s"CREATE TABLE own USING parquet LOCATION '${cluster.url}'")
    session.sql("MSCK REPAIR TABLE own")
  }

  @AfterAll
  def stop(): Unit = {
    session.sql("DROP TABLE IF EXISTS own")
    if (cluster != null) cluster.close()
  }

  @AfterEach
  def giveRightsBack(): Unit = {
    rights(day, "755")
    rights(file, "644")
  }

  private def rights(path: Path, mode: String): Unit = cluster.dfs.getFileSystem.setPermission(path, new FsPermission(mode))

  /** What the body gives to a user who has a superuser's rights nowhere; the threads of Spark's tasks are this user too. */
  private def asReader[T](body: => T): T = {
    val self = UserGroupInformation.getLoginUser
    UserGroupInformation.setLoginUser(UserGroupInformation.createUserForTesting("reader", Array("readers")))
    try body
    finally UserGroupInformation.setLoginUser(self)
  }

  private def frame: DataFrame = session.read.parquet(cluster.url)

  private def table: DataFrame = {
    session.sql("REFRESH TABLE own")
    session.table("own")
  }

  private def check(query: => DataFrame, shown: String): Unit = {
    val expected = stock(rows(query))
    assertThat(explain(query)).contains(shown)
    assertThat(rows(query).mkString("\n")).isNotEmpty.isEqualTo(expected.mkString("\n"))
  }

  /** The message of the missing permission. */
  private def denied(query: => DataFrame): String =
    try {
      rows(query)
      "none"
    } catch {
      case failure: Exception =>
        Iterator.iterate[Throwable](failure)(_.getCause).takeWhile(_ != null).collectFirst {
          case e: AccessControlException => e.getMessage.linesIterator.next()
        }.getOrElse(throw failure)
    }

  private def checkDenied(query: => DataFrame, path: Path): Unit = {
    val expected = stock(denied(query))
    assertThat(expected).contains("Permission denied: user=reader", s"""inode="${path.toUri.getPath}"""")
    assertThat(denied(query)).isEqualTo(expected)
  }

  private val otherDays = "day > '2014-05-01' AND signal = 'SIG3'"
  private val untold = s"parquet[mpsr stock: user reader may not read all files and directories below $root"

  @Test
  def aReaderReadsTheCheapestGroup(): Unit = asReader {
    check(frame.where("signal = 'SIG3'"), "parquet[mpsr signal: ")
    check(frame.where("day = '2014-05-01'"), "parquet[mpsr time: ")
    check(table.where(otherDays), "parquet[mpsr ")
    check(frame.groupBy("device").count(), "LocalTableScan")
  }

  @Test
  def aReaderWithoutTheRightToAPartition(): Unit = {
    rights(day, "700")
    asReader {
      checkDenied(frame.where("signal = 'SIG3'"), day)
      checkDenied(table.where("signal = 'SIG3'"), day)
      check(table.where(otherDays), untold)
      check(table.where("day > '2014-05-01'").groupBy("device").count(), untold)
    }
  }

  @Test
  def aReaderWithoutTheRightToAFile(): Unit = {
    rights(file, "600")
    asReader {
      checkDenied(table.where("signal = 'SIG3'"), file)
      check(table.where(otherDays), untold)
    }
  }
}
