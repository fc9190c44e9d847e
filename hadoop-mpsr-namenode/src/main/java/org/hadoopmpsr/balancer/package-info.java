/** Asks the NameNode for the allocation of nodes. For the Balancer and the Mover, which are processes of their own. */
package org.hadoopmpsr.balancer;
