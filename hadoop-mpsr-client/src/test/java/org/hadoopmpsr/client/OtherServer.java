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
package org.hadoopmpsr.client;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.proto.MpsrProtos;

/** A server that answers plans over RPC, as one whose protocol differs from ours. */
final class OtherServer implements AutoCloseable {
    private final RPC.Server server;
    private final List<Message> requests = new CopyOnWriteArrayList<>();

    /** What it answers. */
    interface Answer {
        Message to(DynamicMessage request) throws IOException;
    }

    /** @param protocol makes its protocol of ours */
    OtherServer(Consumer<FileDescriptorProto.Builder> protocol, Answer answer) throws Exception {
        Configuration conf = new Configuration(false);
        RPC.setProtocolEngine(conf, MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        server = new RPC.Builder(conf)
                .setProtocol(MpsrProtocolPB.class)
                .setInstance(new Service(service(protocol), answer))
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(4)
                .build();
        server.start();
    }

    private static ServiceDescriptor service(Consumer<FileDescriptorProto.Builder> protocol)
            throws DescriptorValidationException {
        FileDescriptorProto.Builder file = MpsrProtos.getDescriptor().toProto().toBuilder();
        protocol.accept(file);
        return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]).findServiceByName("MpsrProtocolService");
    }

    /** The protocol without some fields of a message. */
    static Consumer<FileDescriptorProto.Builder> without(String message, String... fields) {
        return file -> file.getMessageTypeBuilderList().stream()
                .filter(m -> m.getName().equals(message))
                .forEach(m -> {
                    for (int i = m.getFieldCount() - 1; i >= 0; i--) {
                        if (List.of(fields).contains(m.getField(i).getName())) {
                            m.removeField(i);
                        }
                    }
                });
    }

    /** The protocol without a method. */
    static Consumer<FileDescriptorProto.Builder> withoutMethod(String method) {
        return file -> {
            var service = file.getServiceBuilder(0);
            for (int i = service.getMethodCount() - 1; i >= 0; i--) {
                if (service.getMethod(i).getName().equals(method)) {
                    service.removeMethod(i);
                }
            }
        };
    }

    private final class Service implements BlockingService {
        private final ServiceDescriptor descriptor;
        private final Answer answer;

        Service(ServiceDescriptor descriptor, Answer answer) {
            this.descriptor = descriptor;
            this.answer = answer;
        }

        @Override
        public ServiceDescriptor getDescriptorForType() {
            return descriptor;
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            requests.add(request);
            try {
                return answer.to((DynamicMessage) request);
            } catch (IOException e) {
                throw new ServiceException(e);
            }
        }

        @Override
        public Message getRequestPrototype(MethodDescriptor method) {
            return DynamicMessage.getDefaultInstance(method.getInputType());
        }

        @Override
        public Message getResponsePrototype(MethodDescriptor method) {
            return DynamicMessage.getDefaultInstance(method.getOutputType());
        }
    }

    /** What it was asked until now, as it understood it. */
    List<Message> requests() {
        return requests;
    }

    MpsrClient client() throws IOException {
        return MpsrClient.create(
                new Configuration(false),
                URI.create("hdfs://127.0.0.1:" + server.getListenerAddress().getPort()));
    }

    @Override
    public void close() {
        server.stop();
    }
}
