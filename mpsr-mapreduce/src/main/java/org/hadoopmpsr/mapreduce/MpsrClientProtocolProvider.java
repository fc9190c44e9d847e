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
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs through the provider that the configuration asks for, and redirects the input of each job to the replica
 * group that answers the job's filter with the least work. The jar of this class must come before Hadoop's on the class
 * path. With MPSR off, this class provides nothing, and Hadoop uses its own providers.
 */
public final class MpsrClientProtocolProvider extends ClientProtocolProvider {

    @Override
    public @Nullable ClientProtocol create(Configuration conf) throws IOException {
        return create(conf, provider -> provider.create(conf));
    }

    @Override
    public @Nullable ClientProtocol create(InetSocketAddress address, Configuration conf) throws IOException {
        return create(conf, provider -> provider.create(address, conf));
    }

    @Override
    public void close(ClientProtocol protocol) throws IOException {
        if (Proxy.getInvocationHandler(protocol) instanceof RedirectingProtocol redirecting) {
            redirecting.close();
        }
    }

    private interface Creation {
        @Nullable
        ClientProtocol by(ClientProtocolProvider provider) throws IOException;
    }

    private static @Nullable ClientProtocol create(Configuration conf, Creation creation) throws IOException {
        if (!conf.getBoolean(ConfigKeys.MAPREDUCE_ENABLED.name(), true)) {
            return null;
        }
        for (ClientProtocolProvider provider : ServiceLoader.load(ClientProtocolProvider.class)) {
            ClientProtocol protocol = provider instanceof MpsrClientProtocolProvider ? null : creation.by(provider);
            if (protocol != null) {
                return (ClientProtocol) Proxy.newProxyInstance(
                        MpsrClientProtocolProvider.class.getClassLoader(),
                        new Class<?>[] {ClientProtocol.class},
                        new RedirectingProtocol(protocol, provider, conf));
            }
        }
        return null;
    }
}
