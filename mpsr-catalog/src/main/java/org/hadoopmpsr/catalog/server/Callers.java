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
package org.hadoopmpsr.catalog.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.web.resources.DelegationParam;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.PseudoAuthenticator;
import org.apache.hadoop.security.token.Token;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PlanCache;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Asks HDFS as the users that ask the gateway. Who has sent a delegation token of HDFS asks with this token, which the NameNode checks
 * with each call. Others are those whom the filter of the web server has found, and the gateway is their proxy user. Safe for use by
 * several threads.
 */
final class Callers implements AutoCloseable {
    private static final Logger LOG = PrintableLog.of(Callers.class);
    private static final String BEARER = "Bearer";
    private static final String BASIC = "Basic";
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final int MOST_USERS = 10_000;
    private static final String JAVA_CLIENT = "apache iceberg";

    /** About the most planned files that are kept, for all users together: some 50 MB. */
    private static final long KEPT_FILES = 200_000;

    private final PlanCache plans = new PlanCache(KEPT_FILES);
    private final Configuration conf;
    private final URI fs;
    private final HdfsTokens tokens;
    private final String anonymous;
    private final Cache<String, Connection> connections = Caffeine.newBuilder()
            .expireAfterAccess(IDLE)
            .maximumSize(MOST_USERS)
            .executor(Runnable::run)
            .removalListener((@Nullable String key, @Nullable Connection connection, RemovalCause cause) -> {
                if (connection != null) {
                    connection.close();
                }
            })
            .build();

    /** @param anonymous the user that those are who name none, where HDFS itself asks for no proof */
    Callers(Configuration conf, URI fs, String anonymous) {
        this.conf = conf;
        this.fs = fs;
        this.tokens = new HdfsTokens(conf, fs);
        this.anonymous = anonymous;
    }

    /** Work for a user. */
    interface Work<T> {
        T of(Caller caller) throws IOException, CatalogException;
    }

    /** Does work as the user of a request. */
    <T> T as(HttpServletRequest request, Work<T> work) throws IOException, CatalogException {
        Connection connection = connection(request);
        Caller caller = new Caller(
                connection.user.getShortUserName(), connection.client, connection.fileSystem, fills(request));
        try {
            return connection.user.doAs((PrivilegedExceptionAction<T>) () -> work.of(caller));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the gateway stops", e);
        } catch (UndeclaredThrowableException e) {
            if (e.getCause() instanceof CatalogException answer) {
                throw answer;
            }
            throw e;
        }
    }

    /** That of the user of a request, kept or new. */
    private Connection connection(HttpServletRequest request) throws IOException, CatalogException {
        String token = token(request);
        String name = token == null ? user(request) : "";
        String key = token == null ? "user " + name : "token " + token;
        Connection kept = connections.getIfPresent(key);
        if (kept != null) {
            return kept;
        }
        UserGroupInformation user = token == null ? proxy(name) : withToken(token);
        try {
            return connections.get(key, k -> {
                try {
                    return open(user);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static CatalogException unknown(@Nullable String message) {
        return new CatalogException(401, "NotAuthorizedException", message);
    }

    /** Clients in Java fill a column of an identity partition from the partition of the file. PyIceberg and others do not. */
    private static boolean fills(HttpServletRequest request) {
        String client = request.getHeader("X-Client-Version");
        return client != null && client.toLowerCase(Locale.ROOT).startsWith(JAVA_CLIENT);
    }

    /** The delegation token that a request brings, also as clients of WebHDFS bring it for manifests; null if it brings none. */
    static @Nullable String token(HttpServletRequest request) {
        String bearer = credentials(request, BEARER);
        return bearer == null && ManifestServlet.ROOT.equals(request.getServletPath())
                ? request.getParameter(DelegationParam.NAME)
                : bearer;
    }

    /** Tokens of the NameNode that is asked. */
    HdfsTokens tokens() {
        return tokens;
    }

    private static @Nullable String credentials(HttpServletRequest request, String scheme) {
        String header = request.getHeader("Authorization");
        return header != null && (header + " ").regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1)
                ? header.substring(scheme.length()).trim()
                : null;
    }

    private String user(HttpServletRequest request) throws CatalogException {
        String basic = credentials(request, BASIC);
        if (basic != null && !UserGroupInformation.isSecurityEnabled()) {
            try {
                byte[] pair = Base64.getDecoder().decode(basic);
                return new String(pair, StandardCharsets.UTF_8).split(":", 2)[0];
            } catch (IllegalArgumentException e) {
                LOG.debug("no Base64", e);
                throw unknown("the header 'Authorization: Basic' has no user and password; its value is not Base64");
            }
        }
        String named =
                UserGroupInformation.isSecurityEnabled() ? null : request.getParameter(PseudoAuthenticator.USER_NAME);
        String found = named == null ? request.getRemoteUser() : named;
        return found == null ? anonymous : found;
    }

    private static UserGroupInformation proxy(String user) throws IOException, CatalogException {
        if (user == null || user.isEmpty()) {
            throw unknown("say who you are: with a delegation token of HDFS as the token of the client"
                    + " ('hdfs fetchdt'), or with Kerberos");
        }
        UserGroupInformation own = UserGroupInformation.getLoginUser();
        return own.getShortUserName().equals(user) ? own : UserGroupInformation.createProxyUser(user, own);
    }

    private UserGroupInformation withToken(String text) throws IOException, CatalogException {
        Token<DelegationTokenIdentifier> token;
        try {
            token = tokens.read(text);
        } catch (IllegalArgumentException e) {
            throw unknown(e.getMessage());
        }
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                token.decodeIdentifier().getUser().getShortUserName());
        user.addToken(token);
        return user;
    }

    private Connection open(UserGroupInformation user) throws IOException {
        try {
            return user.doAs((PrivilegedExceptionAction<Connection>)
                    () -> new Connection(user, MpsrClient.create(conf, fs, plans), FileSystem.newInstance(fs, conf)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the gateway stops", e);
        }
    }

    private record Connection(UserGroupInformation user, MpsrClient client, FileSystem fileSystem) {
        void close() {
            client.close();
            try {
                fileSystem.close();
            } catch (IOException e) {
                LOG.debug("the file system of {} was not closed", user, e);
            }
        }
    }

    @Override
    public void close() {
        connections.invalidateAll();
    }
}
