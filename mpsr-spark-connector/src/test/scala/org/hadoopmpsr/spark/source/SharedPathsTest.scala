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
package org.hadoopmpsr.spark.source

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.types.StructType
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.schema.Schema
import org.junit.jupiter.api.Test

class SharedPathsTest {
  private def shared(ddl: String): java.util.Set[String] = SharedPaths.of(schema(ddl)).asJava

  private def schema(ddl: String): StructType = SparkTypes.structType(Schema.parse(ddl).columns.asScala.toSeq)

  @Test
  def namesWithoutDotsShareNoPath(): Unit = {
    assertThat(shared("a struct<b:int,c:array<int>>, b int, a_b int")).isEmpty()
    assertThat(shared("`a.c` int, a struct<b:int,c_d:int>, `A.b` int, `s t` struct<`x.y`:int>")).isEmpty()
  }

  @Test
  def aColumnMayHaveThePathOfAField(): Unit = {
    assertThat(shared("`a.b` int, a struct<b:int>")).containsExactly("a.b")
    assertThat(shared("`s.t` struct<`x.y`:int,x:struct<y:int,z:int>>, s int")).containsExactly("s.t.x.y")
    assertThat(shared("a struct<`b.c`:int>, `a.b` struct<c:int,d:int>")).containsExactly("a.b.c")
  }

  /** Files have names of levels in arrays and maps, which differ by the writer. */
  @Test
  def whatLiesWithinAnArrayHasSomePath(): Unit =
    assertThat(shared("a array<int>, `a.list.element` int, `b.x` int, b map<string,int>, `c.x` int"))
      .containsExactlyInAnyOrder("a.list.element", "b.x")
}
