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
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.budget.CallPlaces;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.jspecify.annotations.Nullable;

/**
 * The one gate of all calls to MPSR. A call gets a place, its message is measured before it is built, its answer is
 * measured before it is sent, and whatever goes wrong is a refusal of this call alone. Hadoop's RPC asks a service for the
 * prototype of a request and has that parse the request's bytes: the earliest place at which a service has a say.
 */
public final class BoundedCalls extends DelegatingService {
    private final MessageLimits limits;
    private final CallPlaces places;
    private final CallErrors errors;
    /** Of the call whose message this thread has built. */
    private final ThreadLocal<CallPlaces.@Nullable Place> admitted = new ThreadLocal<>();

    public BoundedCalls(BlockingService delegate, MpsrConfig config, CallPlaces places, Counters counters) {
        super(delegate);
        this.limits = new MessageLimits(config);
        this.places = places;
        this.errors = new CallErrors(counters);
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        Message prototype = super.getRequestPrototype(method);
        Parser<? extends Message> parser = new BoundedParser(prototype, method);
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

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        CallPlaces.Place place = admitted.get();
        admitted.remove();
        try {
            place = place == null ? places.take() : place;
            Message answer = super.callBlockingMethod(method, controller, request);
            limits.checkAnswer(answer);
            return answer;
        } catch (ServiceException e) {
            throw new ServiceException(errors.refusal(method.getName(), e.getCause() == null ? e : e.getCause()));
        } catch (Throwable e) {
            throw new ServiceException(errors.refusal(method.getName(), e));
        } finally {
            if (place != null) {
                place.close();
            }
        }
    }

    /** Builds a message that is within the limits. */
    private final class BoundedParser extends AbstractParser<Message> {
        private final Message prototype;
        private final MethodDescriptor method;

        BoundedParser(Message prototype, MethodDescriptor method) {
            this.prototype = prototype;
            this.method = method;
        }

        @Override
        public Message parsePartialFrom(CodedInputStream in, ExtensionRegistryLite extensions)
                throws InvalidProtocolBufferException {
            leave();
            try {
                CallPlaces.Place place = places.take();
                admitted.set(place);
                return read(place, in, extensions);
            } catch (Throwable e) {
                leave();
                throw BoundedCalls.<InvalidProtocolBufferException>thrown(errors.refusal(method.getName(), e));
            }
        }

        private Message read(CallPlaces.Place place, CodedInputStream in, ExtensionRegistryLite extensions)
                throws IOException {
            int bytes = in.getBytesUntilLimit();
            limits.checkBytes(prototype.getDescriptorForType(), bytes);
            place.reserve(limits.memory(method, bytes));
            byte[] message = in.readRawBytes(bytes);
            place.reserve(limits.checkParts(prototype.getDescriptorForType(), message));
            // whole: of what is not, nobody would carry out the call and leave its place
            return prototype.getParserForType().parseFrom(message, extensions);
        }

        /** Leaves the place of a call that this thread was not asked to carry out. */
        private void leave() {
            CallPlaces.Place place = admitted.get();
            if (place != null) {
                admitted.remove();
                place.close();
            }
        }
    }

    /**
     * An error that a parser may not declare. Hadoop's RPC takes any error of a parser, and clients know by its class
     * whether to try again.
     */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E thrown(IOException error) throws E {
        throw (E) error;
    }
}
