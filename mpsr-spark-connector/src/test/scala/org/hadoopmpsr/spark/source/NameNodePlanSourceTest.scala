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

import java.io.IOException
import java.net.{InetAddress, ServerSocket}
import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.ipc.{ProtobufRpcEngine2, RetriableException, RPC}
import org.apache.hadoop.thirdparty.protobuf.{BlockingService, DynamicMessage, Message, RpcController, ServiceException}
import org.apache.hadoop.thirdparty.protobuf.Descriptors.{FileDescriptor, MethodDescriptor, ServiceDescriptor}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.{MpsrProtocolPB, OversizeMessageException}
import org.hadoopmpsr.client.proto.MpsrProtos
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService
import org.hadoopmpsr.core.plan.{ReadRequest, Filter}
import org.junit.jupiter.api.Test

class NameNodePlanSourceTest {
  private def freePort(): Int =
    Using.resource(new ServerSocket(0, 1, InetAddress.getLoopbackAddress))(_.getLocalPort)

  private def never: Configuration = throw new AssertionError("not needed")

  @Test
  def onlyHdfsIsAsked(): Unit = {
    def ask(path: String): Any = NameNodePlanSource.plan(new Path(path), never, ReadRequest.ofAllColumns(Filter.ALL), None)
    assertThat(ask("file:/tmp/x")).isEqualTo(PlanSource.NotADataset)
    assertThat(ask("s3a://bucket/x")).isEqualTo(PlanSource.NotADataset)
  }

  @Test
  def whatIsBehindAMountTableIsLeftAlone(): Unit = {
    assertThat(NameNodePlanSource.plan(new Path("viewfs://cluster/x"), never, ReadRequest.ofAllColumns(Filter.ALL), None))
      .isEqualTo(PlanSource.Unavailable)
    val mountTable = new Path("hdfs://mount-table.invalid/x")
    assertThat(NameNodePlanSource.plan(mountTable, new Configuration(false), ReadRequest.ofAllColumns(Filter.ALL), None))
      .isEqualTo(PlanSource.Unavailable)
  }

  @Test
  def aNameNodeThatCannotBeReachedIsLeftAloneForAWhile(): Unit = {
    val path = new Path(s"hdfs://127.0.0.1:${freePort()}/cals/meas")
    var asked = 0
    def conf: Configuration = {
      asked += 1
      val conf = new Configuration(false)
      conf.setInt("ipc.client.connect.max.retries", 0)
      conf
    }
    def ask(): Any = NameNodePlanSource.plan(path, conf, ReadRequest.ofAllColumns(Filter.ALL), None)
    assertThat(ask()).isEqualTo(PlanSource.Unavailable)
    assertThat(asked).isEqualTo(1)
    val port = path.toUri.getPort
    // whoever listens there now would notice a second call
    Using.resource(new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) { server =>
      assertThat(ask()).isEqualTo(PlanSource.Unavailable)
      server.setSoTimeout(100)
      org.assertj.core.api.Assertions
        .assertThatThrownBy(() => server.accept())
        .isInstanceOf(classOf[java.net.SocketTimeoutException])
    }
  }

  /** The client has tried again for a while then. */
  @Test
  def aNameNodeThatIsBusyIsSaidToBeAndLeftAloneForAWhile(): Unit = {
    var asked = 0
    val source = new NameNodePlanSource((_, _) => {
      asked += 1
      throw new RetriableException("4 calls of user u run; see dfs.mpsr.call.max.per.user\n\tat x")
    })
    val path = new Path("hdfs://127.0.0.1:1/cals/meas")
    (1 to 2).foreach { _ =>
      assertThat(source.plan(path, new Configuration(false), ReadRequest.ofAllColumns(Filter.ALL), None))
        .isEqualTo(PlanSource.Busy("4 calls of user u run; see dfs.mpsr.call.max.per.user"))
    }
    assertThat(asked).isEqualTo(1)
  }

  @Test
  def aQueryThatIsCancelledLeavesTheNameNodeToOthers(): Unit = {
    // takes the connection and answers nothing
    Using.resource(new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) { server =>
      val path = new Path(s"hdfs://127.0.0.1:${server.getLocalPort}/cals/meas")
      def ask(): Any = NameNodePlanSource.plan(path, new Configuration(false), ReadRequest.ofAllColumns(Filter.ALL), None)
      val failures = (1 to 2).map { _ =>
        val failure = new AtomicReference[Throwable]
        val query = new Thread(() => {
          Thread.currentThread.interrupt()
          try ask()
          catch { case e: IOException => failure.set(e) }
        })
        query.start()
        query.join()
        failure.get
      }
      // had the first been taken for an answer, the second would not have asked
      failures.foreach(assertThat(_).isInstanceOf(classOf[IOException]))
    }
  }

  /** One whose protocol lacks the call, as a version of MPSR may that is older or newer. */
  @Test
  def aNameNodeOfAnotherVersionIsLeftAlone(): Unit = {
    val without = MpsrProtos.getDescriptor.toProto.toBuilder
    val methods = without.getServiceBuilder(0)
    methods.removeMethod(methods.getMethodList.asScala.indexWhere(_.getName == "plan"))
    val protocol = FileDescriptor.buildFrom(without.build(), Array.empty).getServices.get(0)
    assertThat(answerOf(protocol)(throw new AssertionError("not called"))).isEqualTo(PlanSource.Unavailable)
  }

  /** The query reads as stock, and does not fail. */
  @Test
  def aRequestThatIsTooLargeIsNotMade(): Unit =
    assertThat(answerOf(MpsrProtocolService.getDescriptor)(throw new ServiceException(new OversizeMessageException("too large"))))
      .isEqualTo(PlanSource.Unavailable)

  /** The answer of a NameNode that ends calls of this protocol in this way. */
  private def answerOf(protocol: ServiceDescriptor)(end: => Message): Any = {
    val service = new BlockingService {
      override def getDescriptorForType: ServiceDescriptor = protocol
      override def callBlockingMethod(method: MethodDescriptor, caller: RpcController, request: Message): Message = end
      override def getRequestPrototype(method: MethodDescriptor): Message =
        DynamicMessage.getDefaultInstance(method.getInputType)
      override def getResponsePrototype(method: MethodDescriptor): Message =
        DynamicMessage.getDefaultInstance(method.getOutputType)
    }
    val conf = new Configuration(false)
    RPC.setProtocolEngine(conf, classOf[MpsrProtocolPB], classOf[ProtobufRpcEngine2])
    val server = new RPC.Builder(conf)
      .setProtocol(classOf[MpsrProtocolPB])
      .setInstance(service)
      .setBindAddress("127.0.0.1")
      .setPort(0)
      .build()
    server.start()
    try {
      val path = new Path(s"hdfs://127.0.0.1:${server.getListenerAddress.getPort}/cals/meas")
      NameNodePlanSource.plan(path, new Configuration(false), ReadRequest.ofAllColumns(Filter.ALL), None)
    } finally server.stop()
  }
}
