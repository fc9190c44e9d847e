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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.thirdparty.protobuf.AbstractParser;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.ExtensionRegistryLite;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.hadoopmpsr.core.config.MpsrConfig;

/**
 * The calls to MPSR, each message of which is measured before it is built. Hadoop's RPC asks a service for the prototype of
 * a request and has that parse the request's bytes: the earliest place at which a service has a say.
 */
public final class BoundedCalls extends DelegatingService {
    private final MessageLimits limits;

    public BoundedCalls(BlockingService delegate, MpsrConfig config) {
        super(delegate);
        this.limits = new MessageLimits(config);
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        Message prototype = super.getRequestPrototype(method);
        Parser<? extends Message> parser = new BoundedParser(prototype);
        return (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals("getParserForType")) {
                        return parser;
                    }
                    try {
                        return called.invoke(prototype, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Builds a message that is within the limits. */
    private final class BoundedParser extends AbstractParser<Message> {
        private final Message prototype;

        BoundedParser(Message prototype) {
            this.prototype = prototype;
        }

        @Override
        public Message parsePartialFrom(CodedInputStream in, ExtensionRegistryLite extensions)
                throws InvalidProtocolBufferException {
            try {
                int bytes = in.getBytesUntilLimit();
                limits.checkBytes(prototype.getDescriptorForType(), bytes);
                byte[] message = in.readRawBytes(bytes);
                limits.checkParts(prototype.getDescriptorForType(), message);
                return prototype.getParserForType().parsePartialFrom(message, extensions);
            } catch (InvalidProtocolBufferException e) {
                throw e;
            } catch (IOException e) {
                throw new InvalidProtocolBufferException(e);
            }
        }
    }
}
