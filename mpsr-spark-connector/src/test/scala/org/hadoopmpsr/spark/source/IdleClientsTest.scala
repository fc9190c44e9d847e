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

import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.Test

class IdleClientsTest {
  private var now = -5L
  private var made = 0
  private val clients = new IdleClients[String, Client](10, () => now)

  private final class Client extends AutoCloseable {
    made += 1
    var closed = false
    override def close(): Unit = closed = true
  }

  private def use(key: String): Client = clients.use(key)(new Client)(identity)

  @Test
  def aKeyHasOneClient(): Unit = {
    val client = use("a")
    now += 9
    assertThat(use("a")).isSameAs(client)
    now += 9
    assertThat(use("a")).isSameAs(client)
    assertThat(use("b")).isNotSameAs(client)
    assertThat(made).isEqualTo(2)
  }

  @Test
  def whatIsIdleIsClosedWhenAnotherIsUsed(): Unit = {
    val (a, b) = (use("a"), use("b"))
    now += 5
    use("b")
    now += 5
    use("c")
    assertThat(a.closed).isTrue
    assertThat(b.closed).isFalse
    assertThat(use("a")).isNotSameAs(a)
  }

  @Test
  def whatIsInUseIsNotClosed(): Unit = {
    clients.use("a")(new Client) { a =>
      now += 100
      use("b")
      assertThat(a.closed).isFalse
    }
    now += 9
    use("b")
    assertThat(use("a").closed).isFalse
    assertThat(made).isEqualTo(2)
  }

  @Test
  def whatCannotBeMadeIsTriedAgain(): Unit = {
    assertThatThrownBy(() => clients.use[Unit]("a")(throw new IllegalStateException("made up"))(_ => ()))
      .hasMessage("made up")
    assertThat(use("a").closed).isFalse
    now += 10
    assertThat(use("b").closed).isFalse
  }
}
