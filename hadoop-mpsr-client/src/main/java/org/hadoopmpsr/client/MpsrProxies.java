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

import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.io.retry.RetryProxy;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Makes proxies to one NameNode, or to all NameNodes of a nameservice with the failover of the HDFS client. */
final class MpsrProxies {
    private static final int RPC_TIMEOUT_MS = 60_000;
    /** After this time, the active NameNode answers instead. */
    private static final int STANDBY_TIMEOUT_MS = 5_000;

    private MpsrProxies() {}

    /** @param fs the URI of the file system: a host and port, or a nameservice */
    static MpsrProtocol create(Configuration conf, URI fs) throws IOException {
        if (HAUtilClient.isLogicalUri(conf, fs)) {
            return ServerErrors.thrownBy(
                    NameNodeProxiesClient.createHAProxy(conf, fs, MpsrProtocol.class, failoverProvider(conf, fs))
                            .getProxy());
        }
        MpsrProtocol direct = direct(conf, DFSUtilClient.getNNAddress(fs), UserGroupInformation.getCurrentUser());
        return ServerErrors.thrownBy(
                (MpsrProtocol) RetryProxy.create(MpsrProtocol.class, direct, retryOnStaleConnection()));
    }

    /**
     * A proxy of each NameNode of a nameservice, without failover or retries; empty unless clients are set up to read
     * from observers.
     */
    static List<MpsrProtocol> standbys(Configuration conf, URI fs) throws IOException {
        List<MpsrProtocol> proxies = new ArrayList<>();
        if (HAUtilClient.isLogicalUri(conf, fs)
                && ObserverReadProxyProvider.class.isAssignableFrom(failoverProviderClass(conf, fs))) {
            for (InetSocketAddress address : DFSUtilClient.getAddresses(
                            conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
                    .getOrDefault(fs.getHost(), Map.of())
                    .values()) {
                proxies.add(ServerErrors.thrownBy(
                        direct(conf, address, UserGroupInformation.getCurrentUser(), STANDBY_TIMEOUT_MS)));
            }
        }
        return proxies;
    }

    /**
     * A retry for idle connections, which notice a restart of the NameNode only at their next call. Every call may be
     * repeated.
     */
    private static RetryPolicy retryOnStaleConnection() {
        RetryPolicy once = RetryPolicies.retryUpToMaximumCountWithFixedSleep(1, 0, TimeUnit.MILLISECONDS);
        return RetryPolicies.retryByException(
                retryWhenAsked(), Map.of(EOFException.class, once, SocketException.class, once));
    }

    /** A retry that the NameNode asks for while it starts. */
    private static RetryPolicy retryWhenAsked() {
        RetryPolicy wait = RetryPolicies.retryUpToMaximumTimeWithFixedSleep(RPC_TIMEOUT_MS, 500, TimeUnit.MILLISECONDS);
        return RetryPolicies.retryByRemoteException(
                RetryPolicies.TRY_ONCE_THEN_FAIL, Map.of(RetriableException.class, wait));
    }

    private static MpsrProtocol direct(Configuration conf, InetSocketAddress address, UserGroupInformation user)
            throws IOException {
        return direct(conf, address, user, RPC_TIMEOUT_MS);
    }

    private static MpsrProtocol direct(
            Configuration conf, InetSocketAddress address, UserGroupInformation user, int timeoutMs)
            throws IOException {
        RPC.setProtocolEngine(conf, MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        MpsrProtocolPB proxy = RPC.getProtocolProxy(
                        MpsrProtocolPB.class,
                        RPC.getProtocolVersion(MpsrProtocolPB.class),
                        address,
                        user,
                        conf,
                        NetUtils.getDefaultSocketFactory(conf),
                        timeoutMs,
                        null)
                .getProxy();
        return new MpsrProtocolTranslator(proxy, () -> checkStarted(conf, address, user));
    }

    private static void checkStarted(Configuration conf, InetSocketAddress address, UserGroupInformation user)
            throws IOException {
        ClientProtocol hdfs =
                NameNodeProxiesClient.createProxyWithAlignmentContext(address, conf, user, false, null, null);
        try {
            hdfs.getHAServiceState();
        } catch (RemoteException e) {
            if (RetriableException.class.getName().equals(e.getClassName())) {
                throw e;
            } // anything else is said by a server that has started
        } finally {
            RPC.stopProxy(hdfs);
        }
    }

    private static Class<?> failoverProviderClass(Configuration conf, URI fs) throws IOException {
        String key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + fs.getHost();
        Class<?> provider = conf.getClass(key, null);
        if (provider == null) {
            throw new IOException(key + " is not set; it names the failover proxy provider of nameservice '"
                    + fs.getHost() + "' and belongs in hdfs-site.xml");
        }
        return provider;
    }

    @SuppressWarnings("unchecked") // the provider makes proxies of the interface that it is given
    private static AbstractNNFailoverProxyProvider<MpsrProtocol> failoverProvider(Configuration conf, URI fs)
            throws IOException {
        Class<?> provider = failoverProviderClass(conf, fs);
        try {
            return (AbstractNNFailoverProxyProvider<MpsrProtocol>)
                    provider.getConstructor(Configuration.class, URI.class, Class.class, HAProxyFactory.class)
                            .newInstance(conf, fs, MpsrProtocol.class, new Factory());
        } catch (InvocationTargetException e) {
            throw new IOException("cannot make the failover proxy provider " + provider.getName(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IOException("cannot make the failover proxy provider " + provider.getName(), e);
        }
    }

    private static final class Factory implements HAProxyFactory<MpsrProtocol> {
        @Override
        public MpsrProtocol createProxy(
                Configuration conf,
                InetSocketAddress address,
                Class<MpsrProtocol> protocol,
                UserGroupInformation user,
                boolean withRetries,
                @Nullable AtomicBoolean fallbackToSimpleAuth)
                throws IOException {
            return direct(conf, address, user);
        }

        @Override
        public MpsrProtocol createProxy(
                Configuration conf,
                InetSocketAddress address,
                Class<MpsrProtocol> protocol,
                UserGroupInformation user,
                boolean withRetries)
                throws IOException {
            return direct(conf, address, user);
        }
    }
}
